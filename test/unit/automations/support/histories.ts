import { expect } from 'chai';
import fc from 'fast-check';
import type { Definition } from '../../../../src/domain/automations/core/definition/definition.ts';
import { exitsOf, type Step } from '../../../../src/domain/automations/core/definition/steps.ts';
import { automation } from './definitions.ts';

/** What a customer does: so many milliseconds after the act before, and told so much later. */
export interface Act {
  gap: number;
  ago: string;
  type: string;
}

/** Where requests end, or where somebody comes to read and to take steps, by the number of the act before. */
export type Breaks = readonly boolean[];

/** What became of a run: why it has ended, and by their numbers the trigger and what its waits took. */
export interface Passage {
  trigger: unknown;
  reason: string | null;
  used: unknown[];
}

const LENGTH = 14;
export const ALL: Breaks = Array(LENGTH).fill(true);
export const NONE: Breaks = Array(LENGTH).fill(false);
export const breaks: fc.Arbitrary<Breaks> = fc.array(fc.boolean(), { minLength: LENGTH, maxLength: LENGTH });

const TYPES = ['a', 'b', 'c', 'left'];
const MODES = ['every_time', 'once', 'one_at_a_time', 'restart'] as const;

export const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    gap: fc.constantFrom(0, 0, 0, 1_000, 2_000, 60_000),
    ago: fc.constantFrom('PT0S', 'PT0S', 'PT0S', 'PT1S', 'PT1M', 'PT6M'),
    type: fc.constantFrom('started', 'started', 'a', 'a', 'b', 'b', 'c', 'left'),
  }),
  { minLength: 1, maxLength: LENGTH },
);

/** Waits and branches that lead to one another, some of them by way of a step that takes no time; nothing times out. */
const steps: fc.Arbitrary<Step[]> = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.boolean()).chain(([count, acts]) =>
  fc.tuple(
    ...Array.from({ length: count }, (_, i) => {
      const next = fc.integer({ min: i + 1, max: count + 1 }).map((n) => (n > count ? null : `s${n}`));
      const match = fc.record({ event_type: fc.constantFrom(...TYPES.slice(0, 3), 'started'), next });
      return fc.oneof(
        { weight: 3, arbitrary: waitFor(`s${i}`, fc.array(match, { minLength: 1, maxLength: 3 })) },
        {
          weight: 1,
          arbitrary: acts
            ? next.map((to): Step => ({ id: `s${i}`, type: 'set_profile', set: { [`at${i}`]: true }, next: to }))
            : fc.tuple(next, next).map(([to, other]) => branchTo(`s${i}`, to, other)),
        },
      );
    }),
    // Nobody comes to the end of it.
    waitFor(`s${count}`, fc.constant([{ event_type: 'never', next: null }])),
  ),
);

function branchTo(id: string, next: string | null, other: string | null): Step {
  return { id, type: 'branch', cases: [{ when: { property: 'n', op: 'gt', value: 3 }, next }], else: other };
}

function waitFor(id: string, cases: fc.Arbitrary<{ event_type: string; next: string | null }[]>): fc.Arbitrary<Step> {
  return fc
    .tuple(cases, fc.constantFrom('trigger' as const, 'step' as const))
    .map(([found, since]) => ({ id, type: 'wait', for: found, since, timeout: 'P60D', on_timeout: null }));
}

/** What nothing leads to could not be published. */
function reached(all: readonly Step[]): Step[] {
  const ids = new Set<string | null>(['s0']);
  for (const id of ids) for (const { next } of all.filter((one) => one.id === id).flatMap(exitsOf)) ids.add(next);
  return all.filter(({ id }) => ids.has(id));
}

/** A run that has still to act is under way until it has: where that matters, none acts. */
export const definitions: fc.Arbitrary<Definition> = fc
  .tuple(steps, fc.boolean(), fc.constantFrom(...MODES), fc.constantFrom(...MODES.slice(0, 2)))
  .map(([found, exits, mode, ofActing]) =>
    automation({
      start: 's0',
      reentry: { mode: found.some(({ type }) => type === 'set_profile') ? ofActing : mode, per: 'profile' },
      ...(exits && { exit_on: [{ event_type: 'left' }] }),
      steps: reached(found),
    }),
  );

/** The same runs and branches. An exit that was recorded before a run came to act ends it first: it has not come as far then. */
export function expectSame(
  { exit_on, steps: found }: Definition,
  one: readonly Passage[],
  other: readonly Passage[],
): void {
  const mayBeCut = exit_on !== undefined && found.some(({ type }) => type === 'set_profile');
  if (!mayBeCut) expect(other).to.deep.equal(one);
  expect(other.map(({ trigger }) => trigger)).to.deep.equal(one.map(({ trigger }) => trigger));
  for (const [i, run] of one.entries()) {
    const pair = [run, other[i] as Passage].sort((some, more) => some.used.length - more.used.length);
    const [early, late] = pair as [Passage, Passage];
    expect(late.used.slice(0, early.used.length)).to.deep.equal(early.used);
    if (!pair.some(({ reason }) => reason === 'exit_event')) expect(late).to.deep.equal(early);
  }
}
