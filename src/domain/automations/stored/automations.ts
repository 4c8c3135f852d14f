import { type RawBuilder, sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Automation, AutomationStatus, Version } from '../core/machine/automation.ts';
import { activeByVersion } from './active-runs.ts';
import { type VersionCache, versionKey } from './version-cache.ts';

/** An automation that has been published, as it is now and as it was where the reader of the change feed is. */
export interface PublishedAutomation {
  id: string;
  now: Automation;
  read: Automation;
}

interface Row {
  id: string;
  status: AutomationStatus;
  version: number;
  resumed: RawJson | null;
  readStatus: AutomationStatus;
  readVersion: number | null;
  /** The lowest version that has active runs. */
  first: number | null;
}

/**
 * Selects the published automations of a store that may concern anybody, not those that have ended and have no runs any
 * more; `first` is the lowest version that has active runs. The caller has to alias it.
 */
export function ofInterest(storeId: string): RawBuilder<unknown> {
  return sql`(
    select automation.*, active.first
    from automation
    left join lateral (
      select min(number::int) as first
      from (${activeByVersion(sql`automation.store_id`, sql`automation.id`)}) as by_version
      where count > 0
    ) active on true
    where automation.store_id = ${storeId} and automation.version is not null
      and (automation.status <> 'archived' or automation.read_status <> 'archived' or active.first is not null)
  )`;
}

/** The first version that matters, as in `numbersOf`, of an automation of interest with the alias `a`. */
export const OLDEST_OF_INTEREST = sql`least(coalesce(a.read_version, 1), a.first)`;

/** Returns those of a store that may concern anybody: not those that have ended and have no runs any more. */
export async function loadAutomations(
  db: Sql,
  storeId: string,
  versions: VersionCache,
  ids?: readonly string[],
): Promise<PublishedAutomation[]> {
  const { rows } = await sql<Row>`
    select a.id, a.status, a.version, a.resumed, a.read_status as "readStatus", a.read_version as "readVersion", a.first
    from ${ofInterest(storeId)} a
    ${ids ? sql`where a.id = any(${uuids(ids)}::uuid[])` : sql``}`.execute(db);
  const refs = rows.flatMap((row) => numbersOf(row).map((number) => ({ automationId: row.id, number })));
  const found = await versions.load(db, storeId, refs);
  return rows.map((row) => {
    const { id, status, version, resumed, readStatus, readVersion } = row;
    const own = new Map(
      numbersOf(row).map((number) => [number, found.get(versionKey({ automationId: id, number })) as Version]),
    );
    return {
      id,
      now: {
        id,
        status,
        version,
        versions: own,
        resumed: resumed?.parse<NonNullable<Automation['resumed']>>() ?? null,
      },
      read: { id, status: readStatus, version: readVersion, versions: own },
    };
  });
}

/** All versions from the first that matters to the latest, whatever of them the reader has come to. */
function numbersOf({ version, readVersion, first }: Row): number[] {
  const from = Math.min(readVersion ?? 1, first ?? version);
  return Array.from({ length: version - from + 1 }, (_, i) => from + i);
}
