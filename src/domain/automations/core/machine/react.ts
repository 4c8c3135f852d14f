import { MissingFacts } from '../../../conditions/facts-needed.ts';
import { applyInput } from './apply-input.ts';
import type { Automation } from './automation.ts';
import { type Draw, drawByHash } from './draw.ts';
import type { Reaction } from './effects.ts';
import type { EntryDecision } from './entry.ts';
import type { Facts } from './facts.ts';
import type { Input, Occurrence } from './input.ts';
import type { Need } from './need.ts';
import type { State } from './run.ts';
import { entryOf } from './start.ts';
import { Work } from './work.ts';

export interface Surroundings {
  /** Milliseconds. */
  now: number;
  automation: Automation;
  /** What has been looked up, so far. */
  facts?: Facts;
  /** By default a hash: see `drawByHash`. */
  draw?: Draw;
}

export interface Needs {
  needs: readonly Need[];
}

/**
 * What an input means for one customer in one automation: the state after it, and all that has to be written with it.
 * Or what has to be looked up first: then it is called again with the same arguments and more facts, until it asks no
 * more.
 */
export function react(state: State, input: Input, surroundings: Surroundings): Reaction | Needs {
  return withNeeds(state, surroundings, (work) => {
    applyInput(work, input);
    return work.reaction();
  });
}

/** Why an occurrence starts a run or does not; undefined if the trigger is not about such an occurrence. */
export function explainEntry(
  state: State,
  occurrence: Occurrence,
  surroundings: Surroundings,
): EntryDecision | Needs | undefined {
  const { automation } = surroundings;
  const version = automation.version === null ? undefined : automation.versions.get(automation.version);
  if (!version) return { entered: false, reason: 'not_live', detail: {} };
  return withNeeds(state, surroundings, (work) => entryOf(work, version.definition, occurrence));
}

function withNeeds<Result>(state: State, surroundings: Surroundings, decide: (work: Work) => Result): Result | Needs {
  try {
    return decide(new Work(state, { facts: {}, draw: drawByHash, ...surroundings }));
  } catch (error) {
    if (error instanceof MissingFacts) return { needs: (error as MissingFacts<Need>).needs };
    throw error;
  }
}
