import { type RawBuilder, sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { type ProfileRow, profileFromRow } from '../profile.ts';
import { type Page, type PageRequest, readNewest } from '../reading/cursor.ts';
import type { Counts } from '../sweeps/step.ts';
import type { Merge, MergeChanges, MergedProfiles } from './merge.ts';

interface MergeRow extends Omit<Merge, 'status' | 'changes' | 'counts' | 'createdAt' | 'completedAt'> {
  changes: RawJson;
  counts: RawJson;
  created: number;
  completed: number | null;
  candidates?: never;
}

const COLUMNS = sql`
  id, profile_id as "profileId", from_id as "fromId", changes, counts, passes, asked_by as "askedBy",
  (extract(epoch from created_at) * 1000)::float8 as created,
  (extract(epoch from completed_at) * 1000)::float8 as completed`;

/** Undefined if the store has no such merge. */
export async function findMerge(db: Sql, storeId: string, id: string): Promise<Merge | undefined> {
  return await findOne(db, storeId, sql`id = ${id}`);
}

/** Returns the merge by which a customer went; undefined if there was none. */
export async function findMergeOf(db: Sql, storeId: string, fromId: string): Promise<Merge | undefined> {
  return await findOne(db, storeId, sql`from_id = ${fromId}`);
}

async function findOne(db: Sql, storeId: string, condition: RawBuilder<unknown>): Promise<Merge | undefined> {
  const { rows } = await sql<MergeRow>`
    select ${COLUMNS} from profile_merge where store_id = ${storeId} and ${condition}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Returns the merges of the store, the latest first. */
export async function listMerges(db: Sql, storeId: string, page: PageRequest): Promise<Page<Merge>> {
  return await readNewest(
    db,
    page,
    fromRow,
    (place) => sql<MergeRow>`
    select ${COLUMNS} from profile_merge
    where store_id = ${storeId} and ${place}`,
  );
}

/** Returns both customers as they were; undefined once that is forgotten. */
export async function readMerged(db: Sql, storeId: string, id: string): Promise<MergedProfiles | undefined> {
  const side = (one: string) => sql`before -> ${sql.lit(one)}`;
  const { rows } = await sql<{ profile: RawJson; from: RawJson; ownAttributes: RawJson; theirAttributes: RawJson }>`
    select ${withoutAttributes(side('profile'))} as profile, ${withoutAttributes(side('from'))} as "from",
      ${side('profile')} -> 'attributes' as "ownAttributes", ${side('from')} -> 'attributes' as "theirAttributes"
    from profile_merge where store_id = ${storeId} and id = ${id} and before is not null`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const profile = { ...row.profile.parse<Omit<ProfileRow, 'attributes'>>(), attributes: row.ownAttributes };
  const from = { ...row.from.parse<Omit<ProfileRow, 'attributes'>>(), attributes: row.theirAttributes };
  return { profile: profileFromRow(profile), from: profileFromRow(from) };
}

/** They may be large, and pass through as text. */
function withoutAttributes(profile: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select json_object_agg(key, value) from json_each(${profile}) where key <> 'attributes')`;
}

function fromRow({ changes, counts, created, completed, ...row }: MergeRow): Merge {
  return {
    ...row,
    status: completed === null ? 'moving' : 'complete',
    changes: changes.parse<MergeChanges>(),
    counts: counts.parse<Counts>(),
    createdAt: new Date(created),
    completedAt: completed === null ? null : new Date(completed),
  };
}
