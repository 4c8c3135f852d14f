import { expect } from 'chai';
import fc from 'fast-check';
import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';
import type { Step } from '../../../src/domain/automations/core/definition/steps.ts';
import { SOAK_ROUNDS } from '../../support/sample.ts';
import { automation } from './support/definitions.ts';
import { Shop } from './support/shop.ts';

/** What a customer does: so many milliseconds after the act before, and told so much later. */
interface Act {
  gap: number;
  ago: string;
  type: string;
}

const TYPES = ['a', 'b', 'c', 'left'];

const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    gap: fc.constantFrom(0, 0, 0, 1_000, 2_000, 60_000),
    ago: fc.constantFrom('PT0S', 'PT0S', 'PT0S', 'PT1S', 'PT1M', 'PT6M'),
    type: fc.constantFrom('started', 'a', 'a', 'b', 'b', 'c', 'left'),
  }),
  { minLength: 1, maxLength: 14 },
);

/** Waits that lead to one another, some of them by way of a step that takes no time; nothing times out. */
const steps: fc.Arbitrary<Step[]> = fc.integer({ min: 1, max: 5 }).chain((count) =>
  fc.tuple(
    ...Array.from({ length: count }, (_, i) => {
      const next = fc.integer({ min: i + 1, max: count }).map((n) => `s${n}`);
      const match = fc.record({ event_type: fc.constantFrom(...TYPES.slice(0, 3), 'started'), next });
      return fc.oneof(
        { weight: 3, arbitrary: waitFor(`s${i}`, fc.array(match, { minLength: 1, maxLength: 3 })) },
        {
          weight: 1,
          arbitrary: next.map(
            (to): Step => ({ id: `s${i}`, type: 'set_profile', set: { [`at${i}`]: true }, next: to }),
          ),
        },
      );
    }),
    // Nobody comes to the end of it.
    waitFor(`s${count}`, fc.constant([{ event_type: 'never', next: null }])),
  ),
);

function waitFor(id: string, cases: fc.Arbitrary<{ event_type: string; next: string | null }[]>): fc.Arbitrary<Step> {
  return fc
    .tuple(cases, fc.constantFrom('trigger' as const, 'step' as const))
    .map(([found, since]) => ({ id, type: 'wait', for: found, since, timeout: 'P300D', on_timeout: null }));
}

const definitions = fc.tuple(steps, fc.boolean()).map(
  ([found, exits]): Definition =>
    automation({
      start: 's0',
      reentry: { mode: 'every_time', per: 'profile' },
      ...(exits && { exit_on: [{ event_type: 'left' }] }),
      steps: found,
    }),
);

/** Where requests end, and where somebody comes to read and to take steps, by the number of the act before. */
type Breaks = readonly boolean[];
const breaks: fc.Arbitrary<Breaks> = fc.array(fc.boolean(), { minLength: 14, maxLength: 14 });

/** Plays what is done, in some requests: what is in one is received together, when its last is. */
function play(definition: Definition, history: readonly Act[], requests: Breaks, looks: Breaks): Shop {
  const shop = new Shop(definition, { manual: true });
  let open: { act: Act; at: number; n: number }[] = [];
  let at = shop.now;
  for (const [i, act] of history.entries()) {
    at += act.gap;
    open.push({ act, at, n: i });
    if (!requests[i] && i < history.length - 1) continue;
    shop.now = at;
    for (const one of open) {
      const late = (at - one.at) / 1_000 + Temporal.Duration.from(one.act.ago).total('seconds');
      shop.record(one.act.type, { n: one.n }, { ago: `PT${late}S` });
    }
    open = [];
    if (looks[i]) shop.settle();
  }
  shop.settle();
  return shop;
}

/** The runs, each with where it is, why it has ended, and by their numbers the trigger and what its waits took. */
function runsOf(shop: Shop) {
  const events = new Map(shop.customer('ada').world.events.map(({ id, properties }) => [id, properties.n]));
  return [...shop.runs.values()].map(({ id, trigger, stepId, reason }) => {
    const entries = shop.timeline.filter(({ runId }) => runId === id);
    const used = entries.flatMap((one) => (one.outcome === 'matched' ? [events.get(one.event?.eventId ?? '')] : []));
    return { trigger: events.get(trigger.id), stepId, reason, used };
  });
}

const ALL: Breaks = Array(14).fill(true);
const NONE: Breaks = Array(14).fill(false);

describe('what becomes of a history', () => {
  const check = (property: fc.IPropertyWithHooks<any>) =>
    fc.assert(property, SOAK_ROUNDS > 0 ? { numRuns: 1_000 * SOAK_ROUNDS } : { numRuns: 500, seed: 44 });

  it('is the same in whatever requests it comes, and however often somebody looks', () => {
    check(
      fc.property(definitions, acts, breaks, breaks, (one, history, requests, looks) => {
        const live = runsOf(play(one, history, ALL, ALL));
        const found = runsOf(play(one, history, requests, looks));
        if (!one.exit_on) expect(found).to.deep.equal(live);
        // A run that ends has not come as far if it ended before it could take its steps.
        const ends = (runs: typeof live) => runs.map(({ trigger, reason }) => ({ trigger, reason }));
        expect(ends(found)).to.deep.equal(ends(live));
        for (const [i, run] of found.entries()) expect(live[i]?.used.slice(0, run.used.length)).to.deep.equal(run.used);
      }),
    );
  });

  it('is the same in one request as in many, where nobody looks before its end', () => {
    check(
      fc.property(definitions, acts, breaks, (one, history, requests) => {
        expect(runsOf(play(one, history, requests, NONE))).to.deep.equal(runsOf(play(one, history, NONE, NONE)));
      }),
    );
  });
});
