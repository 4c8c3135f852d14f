import type { Sql } from '../../../db/sql.ts';
import { enrolmentKeyOf } from '../core/machine/entry.ts';
import type { Input, Occurrence } from '../core/machine/input.ts';
import { loadAutomations } from '../stored/automations.ts';
import { lockEnrolments } from '../stored/enrolments.ts';
import { countActiveRuns, lockActiveRuns } from '../stored/runs.ts';
import type { VersionCache } from '../stored/version-cache.ts';
import type { Entrant, Entrants } from './entrant.ts';

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
  return ['event', 'change', 'segment', 'member', 'date', 'enrol'].includes(input.type);
}
