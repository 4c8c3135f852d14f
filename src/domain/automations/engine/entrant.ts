import type { Sql } from '../../../db/sql.ts';
import type { Automation } from '../core/machine/automation.ts';
import type { Reaction } from '../core/machine/effects.ts';
import type { Facts } from '../core/machine/facts.ts';
import type { Input } from '../core/machine/input.ts';
import { react } from '../core/machine/react.ts';
import type { State } from '../core/machine/run.ts';
import { lookUpFacts } from './look-up-facts.ts';

/** An input, and what is known of what can come of it. */
export interface EntrantInput {
  input: Input;
  /** As it was at that moment. */
  automation: Automation;
  /** Whether it can start no run, or do nothing to the runs that there are. */
  neverStarts?: boolean;
  onlyStarts?: boolean;
}

/** One customer in one automation: what there is, the inputs in turn, and what comes of them. */
export interface Entrant {
  automationId: string;
  profileId: string;
  before: State;
  state: State;
  inputs: EntrantInput[];
  facts: Facts;
  reactions: Reaction[];
  /** A fault of ours: nothing of all this is written. */
  fault?: unknown;
}

/** The entrants of a batch. */
export class Entrants {
  readonly #entrants = new Map<string, Entrant>();

  of(automationId: string, profileId: string): Entrant {
    const key = `${automationId} ${profileId}`;
    const known = this.#entrants.get(key);
    if (known) return known;
    const before: State = { profileId, enrolments: [], runs: [] };
    const entrant = { automationId, profileId, before, state: before, inputs: [], facts: {}, reactions: [] };
    this.#entrants.set(key, entrant);
    return entrant;
  }

  /** Leaves out those where nothing can come of the inputs. */
  dropIdle(): void {
    for (const [key, entrant] of this.#entrants) {
      if (entrant.state.runs.length === 0 && entrant.inputs.every(({ neverStarts }) => neverStarts))
        this.#entrants.delete(key);
    }
  }

  get all(): Entrant[] {
    return [...this.#entrants.values()];
  }
}

/** Works out what comes of the inputs of entrants. What has to be known first is looked up for all of them together. */
export async function settle(db: Sql, storeId: string, entrants: readonly Entrant[], now: number): Promise<void> {
  let open = entrants;
  while (open.length > 0) {
    const asking = open.flatMap((entrant) => {
      const needs = goOn(entrant, now);
      return needs ? [{ entrant, needs }] : [];
    });
    await lookUpFacts(db, storeId, asking);
    open = asking.map(({ entrant }) => entrant);
  }
}

/** Returns what has to be known to go on; undefined at the end of the inputs. */
function goOn(entrant: Entrant, now: number) {
  try {
    for (const { input, automation } of entrant.inputs.slice(entrant.reactions.length)) {
      const reaction = react(entrant.state, input, { now, automation, facts: entrant.facts });
      if ('needs' in reaction) return reaction.needs;
      entrant.state = reaction.state;
      entrant.reactions.push(reaction);
    }
  } catch (error) {
    entrant.fault = error;
  }
  return undefined;
}
