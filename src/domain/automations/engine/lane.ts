import type { Sql } from '../../../db/sql.ts';
import type { Automation } from '../core/machine/automation.ts';
import type { Reaction } from '../core/machine/effects.ts';
import type { Facts } from '../core/machine/facts.ts';
import type { Input } from '../core/machine/input.ts';
import { react } from '../core/machine/react.ts';
import type { State } from '../core/machine/run.ts';
import { lookUpFacts } from './look-up-facts.ts';

export interface Told {
  input: Input;
  /** As it was at that moment. */
  automation: Automation;
  /** Whether nothing can come of it but to the runs that there are, or nothing to them. */
  isForRuns?: boolean;
  isForNoRuns?: boolean;
}

/** One customer in one automation: what there is, what it is told in turn, and what comes of it. */
export interface Lane {
  automationId: string;
  profileId: string;
  before: State;
  state: State;
  told: Told[];
  facts: Facts;
  reactions: Reaction[];
  /** A fault of ours: nothing of the lane is written. */
  fault?: unknown;
}

export function newLane(automationId: string, profileId: string): Lane {
  const state: State = { profileId, enrolments: [], runs: [] };
  return { automationId, profileId, before: state, state, told: [], facts: {}, reactions: [] };
}

/** Tells lanes all that they are to be told. What they have to know first is looked up for all of them together. */
export async function settleLanes(db: Sql, storeId: string, lanes: readonly Lane[], now: number): Promise<void> {
  let open = lanes;
  while (open.length > 0) {
    const asking = open.flatMap((lane) => {
      const needs = goOn(lane, now);
      return needs ? [{ lane, needs }] : [];
    });
    await lookUpFacts(db, storeId, asking);
    open = asking.map(({ lane }) => lane);
  }
}

/** Returns what the lane needs to know to go on; undefined at its end. */
function goOn(lane: Lane, now: number) {
  try {
    for (const { input, automation } of lane.told.slice(lane.reactions.length)) {
      const reaction = react(lane.state, input, { now, automation, facts: lane.facts });
      if ('needs' in reaction) return reaction.needs;
      lane.state = reaction.state;
      lane.reactions.push(reaction);
    }
  } catch (error) {
    lane.fault = error;
  }
  return undefined;
}
