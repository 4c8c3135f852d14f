import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { lowestIdAt } from '../../../ids/uuid-v7.ts';
import type { CustomerEvent } from '../../conditions/subject.ts';
import type { Automation, AutomationStatus } from '../core/machine/automation.ts';
import { explainEntry } from '../core/machine/react.ts';
import { RECOMPUTED } from '../core/machine/skip.ts';
import { type VersionCache, versionKey } from '../stored/version-cache.ts';
import type { Decided } from './candidate.ts';

const NOT_LIVE = { made: 'skipped', reason: 'not_live', detail: {} } as const;

/**
 * Finds out again what is not written down of events, as it can be told from each event and from what was published when
 * it was received. Undefined for an event about which something else was decided.
 */
export async function recompute(
  db: Sql,
  storeId: string,
  automationId: string,
  events: readonly { event: CustomerEvent; profileId: string }[],
  versions: VersionCache,
): Promise<(Decided | undefined)[]> {
  const statuses = await statusesAt(
    db,
    storeId,
    automationId,
    events.map(({ event }) => event.receivedAt),
  );
  const numbers = new Set(statuses.flatMap((one) => one?.version ?? []));
  const refs = [...numbers].map((number) => ({ automationId, number }));
  const loaded = await versions.load(db, storeId, refs);
  return events.map(({ event, profileId }, i) => {
    const then = statuses[i];
    const version = then?.version ? loaded.get(versionKey({ automationId, number: then.version })) : undefined;
    if (!then || !version) return NOT_LIVE;
    const { number } = version;
    const automation = {
      id: automationId,
      status: then.status,
      version: number,
      versions: new Map([[number, version]]),
    };
    return decide(automation, event, profileId);
  });
}

function decide(automation: Automation, event: CustomerEvent, profileId: string): Decided | undefined {
  const state = { profileId, enrolments: [], runs: [] };
  const occurrence = { type: 'event', event, runId: event.id } as const;
  const entry = explainEntry(state, occurrence, { now: event.receivedAt, automation });
  // The version of then had a trigger of another type.
  if (entry === undefined) return NOT_LIVE;
  if ('needs' in entry || entry.entered || !RECOMPUTED.has(entry.reason)) return undefined;
  return { made: 'skipped', reason: entry.reason, detail: entry.detail };
}

type StatusThen = { status: AutomationStatus; version: number | null };

/** Returns what an automation was at times, in milliseconds; undefined before it was published. */
async function statusesAt(
  db: Sql,
  storeId: string,
  automationId: string,
  times: readonly number[],
): Promise<(StatusThen | undefined)[]> {
  if (times.length === 0) return [];
  const { rows } = await sql<StatusThen & { n: number }>`
    select w.n::int, s.status, s.version
    from unnest(${uuids(times.map((at) => lowestIdAt(new Date(at + 1))))}::uuid[]) with ordinality as w (id, n)
    cross join lateral (
      select status, version from automation_status
      where store_id = ${storeId} and automation_id = ${automationId} and id < w.id
      order by id desc limit 1
    ) s`.execute(db);
  const found = new Map(rows.map(({ n, ...status }) => [n, status]));
  return times.map((_, i) => found.get(i + 1));
}
