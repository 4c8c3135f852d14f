import type { Sql } from '../../../db/sql.ts';
import { enrolmentKeyOf } from '../core/machine/entry.ts';
import type { Input, Occurrence } from '../core/machine/input.ts';
import { loadAutomations } from '../stored/automations.ts';
import { lockEnrolments } from '../stored/enrolments.ts';
import { countActiveRuns, lockActiveRuns } from '../stored/runs.ts';
import type { VersionCache } from '../stored/version-cache.ts';
import { type Lane, newLane } from './lane.ts';

/** The lanes of a batch. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();

  of(automationId: string, profileId: string): Lane {
    const key = `${automationId} ${profileId}`;
    const known = this.#lanes.get(key);
    if (known) return known;
    const lane = newLane(automationId, profileId);
    this.#lanes.set(key, lane);
    return lane;
  }

  /** Leaves out those where nothing can come of what they are told. */
  dropIdle(): void {
    for (const [key, lane] of this.#lanes) {
      if (lane.state.runs.length === 0 && lane.told.every(({ isForRuns }) => isForRuns)) this.#lanes.delete(key);
    }
  }

  get all(): Lane[] {
    return [...this.#lanes.values()];
  }
}

/**
 * Loads and locks the active runs of lanes, and the enrolments that what they are told may concern. Where nobody can be
 * in the way of what starts, runs to which nothing can happen are only counted: a customer may have a thousand.
 */
export async function loadLanes(tx: Sql, storeId: string, lanes: Lanes, versions: VersionCache): Promise<void> {
  const [starting, others] = [lanes.all.filter(onlyStarts), lanes.all.filter((lane) => !onlyStarts(lane))];
  for (const { automationId, run } of await lockActiveRuns(tx, storeId, others)) {
    const lane = lanes.of(automationId, run.profileId);
    lane.state = { ...lane.state, runs: [...lane.state.runs, run] };
  }
  for (const { automationId, profileId, count } of await countActiveRuns(tx, storeId, starting)) {
    const lane = lanes.of(automationId, profileId);
    lane.state = { ...lane.state, others: count };
  }
  lanes.dropIdle();
  await addVersions(tx, storeId, lanes.all, versions);
  await loadEnrolments(tx, storeId, lanes.all);
}

function onlyStarts({ told }: Lane): boolean {
  return told.every(({ isForNoRuns, automation: { version, versions } }) => {
    const definition = version === null ? undefined : versions.get(version)?.definition;
    return isForNoRuns && definition?.reentry?.mode === 'every_time';
  });
}

/** A failed run that somebody retries just now may be the first active one again of its version. */
async function addVersions(tx: Sql, storeId: string, lanes: readonly Lane[], versions: VersionCache): Promise<void> {
  const lacking = lanes.filter(({ state, told }) =>
    state.runs.some(({ version }) => told.some(({ automation }) => !automation.versions.has(version))),
  );
  if (lacking.length === 0) return;
  const ids = [...new Set(lacking.map(({ automationId }) => automationId))];
  const loaded = await loadAutomations(tx, storeId, versions, ids);
  const known = new Map(loaded.map(({ id, now }) => [id, now.versions]));
  for (const lane of lacking) {
    const more = known.get(lane.automationId) ?? [];
    lane.told = lane.told.map(({ automation, ...told }) => ({
      ...told,
      automation: { ...automation, versions: new Map([...automation.versions, ...more]) },
    }));
  }
}

/** Loads and locks the enrolments that the runs of lanes and what these are told may concern. */
export async function loadEnrolments(tx: Sql, storeId: string, lanes: readonly Lane[]): Promise<void> {
  const refs = lanes.flatMap(({ automationId, profileId, state, told }) => {
    const keys = new Set(state.runs.flatMap(({ enrolmentKey }) => enrolmentKey ?? []));
    for (const { input, automation } of told) {
      const version = automation.version === null ? undefined : automation.versions.get(automation.version);
      if (version && isOccurrence(input)) keys.add(enrolmentKeyOf(version.definition, input));
    }
    return [...keys].map((key) => ({ automationId, profileId, key }));
  });
  const stored = await lockEnrolments(tx, storeId, refs);
  const byLane = Map.groupBy(stored, ({ automationId, profileId }) => `${automationId} ${profileId}`);
  for (const lane of lanes) {
    const own = byLane.get(`${lane.automationId} ${lane.profileId}`) ?? [];
    lane.state = { ...lane.state, enrolments: own.map(({ enrolment }) => enrolment) };
    lane.before = lane.state;
  }
}

function isOccurrence(input: Input): input is Occurrence {
  return ['event', 'change', 'segment', 'member', 'date', 'enrol'].includes(input.type);
}
