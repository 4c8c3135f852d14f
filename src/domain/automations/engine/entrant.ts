import type { Sql } from '../../../db/sql.ts';
import { measureProfiles } from '../../write/look-up.ts';
import type { Automation } from '../core/machine/automation.ts';
import type { Reaction } from '../core/machine/effects.ts';
import { enrolmentKeyOf } from '../core/machine/entry.ts';
import type { Facts } from '../core/machine/facts.ts';
import type { Input, Occurrence } from '../core/machine/input.ts';
import { react } from '../core/machine/react.ts';
import type { State } from '../core/machine/run.ts';
import { loadAutomations } from '../stored/automations.ts';
import { lockEnrolments } from '../stored/enrolments.ts';
import { countActiveRuns, lockActiveRuns } from '../stored/runs.ts';
import type { VersionCache } from '../stored/version-cache.ts';
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

/**
 * Loads and locks the active runs of entrants, and the enrolments that their inputs may concern. Where nobody can be
 * in the way of what starts, runs to which nothing can happen are only counted: a customer may have a thousand.
 */
export async function loadEntrants(
  tx: Sql,
  storeId: string,
  entrants: Entrants,
  versions: VersionCache,
): Promise<void> {
  const [starting, others] = [
    entrants.all.filter(needsNoRuns),
    entrants.all.filter((entrant) => !needsNoRuns(entrant)),
  ];
  for (const { automationId, run } of await lockActiveRuns(tx, storeId, others)) {
    const entrant = entrants.of(automationId, run.profileId);
    entrant.state = { ...entrant.state, runs: [...entrant.state.runs, run] };
  }
  for (const { automationId, profileId, count } of await countActiveRuns(tx, storeId, starting)) {
    const entrant = entrants.of(automationId, profileId);
    entrant.state = { ...entrant.state, others: count };
  }
  entrants.dropIdle();
  await addVersions(tx, storeId, entrants.all, versions);
  await loadEnrolments(tx, storeId, entrants.all);
}

function needsNoRuns({ inputs }: Entrant): boolean {
  return inputs.every(({ onlyStarts, automation: { version, versions } }) => {
    const definition = version === null ? undefined : versions.get(version)?.definition;
    return onlyStarts && definition?.reentry?.mode === 'every_time';
  });
}

/** A failed run that somebody retries just now may be the first active one again of its version. */
async function addVersions(
  tx: Sql,
  storeId: string,
  entrants: readonly Entrant[],
  versions: VersionCache,
): Promise<void> {
  const lacking = entrants.filter(({ state, inputs }) =>
    state.runs.some(({ version }) => inputs.some(({ automation }) => !automation.versions.has(version))),
  );
  if (lacking.length === 0) return;
  const ids = [...new Set(lacking.map(({ automationId }) => automationId))];
  const loaded = await loadAutomations(tx, storeId, versions, ids);
  const known = new Map(loaded.map(({ id, now }) => [id, now.versions]));
  for (const entrant of lacking) {
    const more = known.get(entrant.automationId) ?? [];
    entrant.inputs = entrant.inputs.map(({ automation, ...input }) => ({
      ...input,
      automation: { ...automation, versions: new Map([...automation.versions, ...more]) },
    }));
  }
}

/** Loads and locks the enrolments that the runs of entrants and their inputs may concern. */
export async function loadEnrolments(tx: Sql, storeId: string, entrants: readonly Entrant[]): Promise<void> {
  const refs = entrants.flatMap(({ automationId, profileId, state, inputs }) => {
    const keys = new Set(state.runs.flatMap(({ enrolmentKey }) => enrolmentKey ?? []));
    for (const { input, automation } of inputs) {
      const version = automation.version === null ? undefined : automation.versions.get(automation.version);
      if (version && isOccurrence(input)) keys.add(enrolmentKeyOf(version.definition, input));
    }
    return [...keys].map((key) => ({ automationId, profileId, key }));
  });
  const stored = await lockEnrolments(tx, storeId, refs);
  const byEntrant = Map.groupBy(stored, ({ automationId, profileId }) => `${automationId} ${profileId}`);
  for (const entrant of entrants) {
    const own = byEntrant.get(`${entrant.automationId} ${entrant.profileId}`) ?? [];
    entrant.state = { ...entrant.state, enrolments: own.map(({ enrolment }) => enrolment) };
    entrant.before = entrant.state;
  }
}

function isOccurrence(input: Input): input is Occurrence {
  return ['event', 'change', 'segment', 'member', 'date', 'schedule', 'catalog', 'enrol'].includes(input.type);
}

/** Bytes of customers' attributes that one transaction may have to know. One customer may have 5 MB. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Returns how many of some customers, from the first, may be known together: at least one. */
export async function countFitting(tx: Sql, storeId: string, profileIds: readonly string[]): Promise<number> {
  const sizes = await measureProfiles(tx, storeId, [...new Set(profileIds)]);
  const counted = new Set<string>();
  let bytes = 0;
  for (const [i, id] of profileIds.entries()) {
    if (counted.has(id)) continue;
    counted.add(id);
    bytes += sizes.get(id) ?? 0;
    if (i > 0 && bytes > MAX_BYTES) return i;
  }
  return profileIds.length;
}
