import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';

/** The name under which the position in a store's change feed is kept. */
export const READER = 'segments';

/** Kinds of entries that segments may ask for. */
export const KINDS = ['event', 'profile', 'list_change'] as const;

/** An event as far as it says which segments to look at. */
export interface EventNote {
  profileId: string;
  type: string;
  isBackfill: boolean;
  /** How many automations led to it. */
  depth: number;
  /** The id of what these began with. */
  chain: string | null;
}

/** Returns events of some types, of all types if `types` is null. */
export async function readEventNotes(
  tx: Sql,
  storeId: string,
  ids: readonly string[],
  types: ReadonlySet<string> | null,
): Promise<EventNote[]> {
  if (ids.length === 0 || types?.size === 0) return [];
  const { rows } = await sql<EventNote>`
    select e.profile_id as "profileId", e.event_type as type,
      coalesce(e.source ->> 'backfill' = 'true', false) as "isBackfill",
      coalesce((e.source #>> '{automation,depth}')::int, 0) as depth, e.source #>> '{automation,chain}' as chain
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral (
      select profile_id, event_type, source from event
      where store_id = ${storeId} and ${exactly('id', 'w.id')} order by id limit 1
    ) e
    ${types ? sql`where e.event_type = any(${texts([...types])}::text[])` : sql``}`.execute(tx);
  return rows;
}
