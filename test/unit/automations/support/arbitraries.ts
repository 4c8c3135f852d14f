import fc from 'fast-check';
import type { Definition } from '../../../../src/domain/automations/core/definition/definition.ts';
import type { Step } from '../../../../src/domain/automations/core/definition/steps.ts';
import type { Condition, Leaf } from '../../../../src/domain/conditions/condition.ts';
import { nightly } from './definitions.ts';

const NAMES = ['a', 'b', 'c'];
/** Few values, so that they meet one another. */
const scalar = fc.constantFrom<string | number | boolean>('x', 'xy', '1', 1, 2, true, false);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.constantFrom(null, '2026-03-02', '2026-03-02T12:00:00Z'),
);

export const properties = fc.dictionary(fc.constantFrom(...NAMES), value);

const comparison = fc.oneof(
  fc.record({ op: fc.constantFrom('exists', 'not_exists') }),
  fc.record({ op: fc.constantFrom('eq', 'neq', 'contains'), value: scalar }),
  fc.record({ op: fc.constantFrom('gt', 'gte', 'lt', 'lte'), value: fc.constantFrom(0, 1, 1.5, 2) }),
  fc.record({ op: fc.constantFrom('in', 'not_in'), value: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ op: fc.constant('starts_with'), value: fc.constantFrom('x', '1') }),
  fc.record({ op: fc.constantFrom('before', 'after'), value: fc.constantFrom('2026-03-02', '2026-03-02T06:00:00Z') }),
);

function conditionOf(leaf: fc.Arbitrary<unknown>): fc.Arbitrary<Condition> {
  return fc.letrec((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.record({ all: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: tie('condition') }),
    ),
  })).condition as fc.Arbitrary<Condition>;
}

const named = (kind: 'property' | 'attribute') =>
  fc.tuple(fc.constantFrom(...NAMES), comparison).map(([name, one]) => ({ [kind]: name, ...one }) as unknown as Leaf);
const did = fc
  .record({ event_type: fc.constantFrom('a', 'b'), at_least: fc.constantFrom(0, 1, 2) })
  .map((one) => ({ did: { ...one, within: 'P2D' } }));

const LISTS = ['01a1f846-0000-7000-8000-000000000001', '01a1f846-0000-7000-8000-000000000002'];
const standing = fc.oneof(
  fc.constantFrom(...LISTS).map((list) => ({ list })),
  fc.constantFrom(...LISTS).map((segment) => ({ segment })),
  fc.record({
    consent: fc.record({
      channel: fc.constantFrom('email', 'sms'),
      status: fc.constantFrom('subscribed', 'unsubscribed', 'never', 'suppressed'),
    }),
  }),
);

/** In which lists and segments a customer is, and what they have chosen. */
export const standings = fc.record({
  memberships: fc
    .tuple(fc.subarray(LISTS), fc.subarray(LISTS))
    .map(([lists, segments]) =>
      [lists.map((id) => `list ${id}`), segments.map((id) => `segment ${id}`)].flat().map((key) => [key, 1] as const),
    )
    .map((entries) => new Map(entries)),
  consents: fc.dictionary(
    fc.constantFrom('email', 'sms'),
    fc.record({
      status: fc.constantFrom('subscribed' as const, 'unsubscribed' as const, 'never' as const),
      suppressed: fc.boolean(),
    }),
  ),
});

/** Of lists, segments and consent. */
export const conditionOnStanding = conditionOf(standing);
/** Of properties alone. */
export const condition = conditionOf(named('property'));
const ofProfile = conditionOf(fc.oneof(named('attribute'), standing));
const ofAll = conditionOf(fc.oneof(named('property'), named('attribute'), standing, did));

/** Most of the time the leaf, so that runs start and go on. */
const mostly = (one: fc.Arbitrary<Condition>, leaf: Condition) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(leaf) }, { weight: 1, arbitrary: one });

const EVENT_TYPES = ['a', 'b', 'c', 'started'];
const duration = fc.constantFrom('PT1M', 'PT1H', 'PT6H', 'P1D', 'P2D');

/** A step that leads only to later ones, or to the end. */
function step(i: number, count: number): fc.Arbitrary<Step> {
  const next = fc.integer({ min: i + 1, max: count }).map((n) => (n === count ? null : `s${n}`));
  const id = fc.constant(`s${i}`);
  const match = fc.record(
    {
      event_type: fc.constantFrom(...EVENT_TYPES),
      match_key: fc.constant({ property: 'key' }),
      filter: condition,
      next,
    },
    { requiredKeys: ['event_type', 'next'] },
  );
  const of = <Type extends string>(type: Type, parts: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record({ id, type: fc.constant(type), ...parts });
  return fc.oneof(
    of('delay', { for: duration, next }),
    of('delay', { until: fc.record({ at: fc.constantFrom('09:00', '02:30') }), next }),
    of('wait', {
      for: fc.array(fc.oneof(match, fc.record({ when: ofProfile, next })), { minLength: 1, maxLength: 2 }),
      since: fc.constantFrom('trigger', 'step'),
      timeout: duration,
      on_timeout: next,
    }),
    of('branch', { cases: fc.array(fc.record({ when: ofAll, next }), { minLength: 1, maxLength: 2 }), else: next }),
    of('split', {
      weights: fc.tuple(fc.integer({ min: 0, max: 100 }), next, next).map(([percent, one, other]) => [
        { percent, next: one },
        { percent: 100 - percent, next: other },
      ]),
    }),
    of('set_profile', {
      set: fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(scalar, fc.constant({ from: 'event.properties.a' })), {
        minKeys: 1,
      }),
      next,
    }),
    of('emit_event', {
      event_type: fc.constantFrom('a', 'b', 'c'),
      properties: fc.constant({ key: { from: 'run.key' } }),
      next,
    }),
    of('send_webhook', {
      endpoint_id: fc.constant('endpoint'),
      message_type: fc.constant('m'),
      await: fc.boolean(),
      next,
    }),
    of('send_email', {
      template_id: fc.constant('01a1f852-c410-7e05-8b27-3d6fa91c5e42'),
      template_version: fc.constant(1),
      await: fc.constantFrom('sent', undefined),
      next,
    }),
    of('exit', {}),
  ) as unknown as fc.Arbitrary<Step>;
}

/** Definitions of all kinds of step that can be published, once what is never reached is left out. */
export const definition: fc.Arbitrary<Definition> = fc
  .integer({ min: 1, max: 6 })
  .chain((count) =>
    fc.record(
      {
        name: fc.constant('Random'),
        trigger: fc.record(
          {
            type: fc.constant('event'),
            event_type: fc.constant('started'),
            filter: mostly(condition, { property: 'key', op: 'exists' }),
          },
          { requiredKeys: ['type', 'event_type'] },
        ),
        key: fc.constant({ property: 'key' }),
        reentry: fc.record({
          mode: fc.constantFrom('once', 'one_at_a_time', 'restart', 'every_time'),
          per: fc.constantFrom('profile', 'key'),
          min_interval: fc.constantFrom(null, 'PT3H'),
        }),
        entry_condition: mostly(ofAll, { identifier: 'email', op: 'exists' }),
        exit_on: fc.array(
          fc.record(
            { event_type: fc.constantFrom('a', 'b', 'c'), match_key: fc.constant({ property: 'key' }) },
            { requiredKeys: ['event_type'] },
          ),
          { maxLength: 1 },
        ),
        exit_when: mostly(ofProfile, { attribute: 'a', op: 'eq', value: 'gone' }),
        quiet_hours: fc.constantFrom('wait', 'skip').map(nightly),
        start: fc.constant('s0'),
        steps: fc.tuple(...Array.from({ length: count }, (_, i) => step(i, count))),
      },
      { requiredKeys: ['name', 'trigger', 'key', 'start', 'steps'] },
    ),
  )
  .map((one) => one as unknown as Definition);
