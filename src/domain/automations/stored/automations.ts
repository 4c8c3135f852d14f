import { type RawBuilder, sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Automation, AutomationStatus } from '../core/machine/automation.ts';
import { GAUGE_DAY } from './counts.ts';
import type { VersionCache } from './version-cache.ts';

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
  toldSince: number | null;
  /** The versions that have active runs, and those that end or move the runs of earlier ones. */
  others: number[];
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
    select a.id, a.status, a.version, a.resumed, a.read_status as "readStatus", a.read_version as "readVersion",
      (
        select (extract(epoch from since) * 1000)::float8 from feed_reader
        where store_id = ${storeId} and name = ${READER}
      ) as "toldSince",
      coalesce(active.numbers, '{}') || array(
        select number from automation_version
        where store_id = a.store_id and automation_id = a.id and in_flight <> 'keep' and number > active.numbers[1]
      ) as others
    from automation a
    left join lateral (
      select array_agg(number::int order by number::int) as numbers
      from (${activeByVersion(sql`a.store_id`, sql`a.id`)}) as by_version
      where count > 0
    ) active on true
    where a.store_id = ${storeId} and a.version is not null
      and (a.status <> 'archived' or a.read_status <> 'archived' or active.numbers is not null)
      ${ids ? sql`and a.id = any(${uuids(ids)}::uuid[])` : sql``}`.execute(db);
  const refs = rows.flatMap((row) => numbersOf(row).map((number) => ({ automationId: row.id, number })));
  const versionOf = await versions.loadAll(db, storeId, refs);
  return rows.map((row) => {
    const { id, status, version, resumed, readStatus, readVersion } = row;
    const toldSince = row.toldSince ?? undefined;
    const own = new Map(numbersOf(row).map((number) => [number, versionOf({ automationId: id, number })]));
    return {
      id,
      now: {
        id,
        status,
        version,
        versions: own,
        toldSince,
        resumed: resumed?.parse<NonNullable<Automation['resumed']>>() ?? null,
      },
      read: { id, status: readStatus, version: readVersion, versions: own, toldSince },
    };
  });
}

/** Those that matter: from the one where the reader is to the latest, as it has still to come to those, and others. */
function numbersOf({ version, readVersion, others }: Row): number[] {
  const from = readVersion ?? 1;
  const unread = Array.from({ length: version - from + 1 }, (_, i) => from + i);
  return [...new Set([...others, ...unread])].sort((one, other) => one - other);
}

/** Selects the active runs of an automation by version: `number`, as text, and `count`. */
export function activeByVersion(storeId: RawBuilder<unknown>, automationId: RawBuilder<unknown>): RawBuilder<unknown> {
  const ofIt = sql`
    where store_id = ${storeId} and automation_id = ${automationId} and day = ${GAUGE_DAY}::date and metric = 'active'`;
  return sql`
    select name as number, sum(count)::int as count
    from (
      select name, count from automation_count ${ofIt}
      union all
      select name, count from automation_count_new ${ofIt}
    ) as counted
    group by name`;
}

/** The name under which the position in a store's change feed is kept. */
export const READER = 'automations';
