import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import type { StoreData } from '../../db/store-data.ts';
import type { Row } from '../../db/tables.ts';
import { decode, encode, notACursor, type Page, type PageRequest } from '../reading/cursor.ts';

/** An address or a number that several profiles have, in different spellings. */
export interface Split extends Pick<Row<'identifier_split'>, 'kind' | 'value'> {
  owners: { spelling: string; profile_id: string }[];
  foundAt: Date;
}

type SplitRow = Pick<Split, 'kind' | 'value'> & { owners: RawJson; at: number };

/** Returns the splits of a store, by kind and value. */
export async function listSplits(db: Sql, storeId: string, { limit, cursor }: PageRequest): Promise<Page<Split>> {
  const [kind, value] = cursor === undefined ? ['', ''] : readCursor(cursor);
  const { rows } = await sql<SplitRow>`
    select kind, value, owners, (extract(epoch from found_at) * 1000)::float8 as at
    from identifier_split
    where store_id = ${storeId} and (kind, value) > (${kind}::text, ${value}::text)
    order by kind, value
    limit ${limit + 1}`.execute(db);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ at, owners, ...split }) => ({ ...split, owners: owners.parse(), foundAt: new Date(at) })),
    next: last && rows.length > limit ? encode(`${last.kind}\n${last.value}`) : null,
  };
}

function readCursor(cursor: string): [kind: string, value: string] {
  const [kind, value, more] = decode(cursor)?.split('\n') ?? [];
  if (kind === undefined || value === undefined || more !== undefined) throw notACursor();
  return [kind, value];
}

/** Counts the splits of all stores. */
export async function countSplits(stores: Pick<StoreData, 'each'>): Promise<number> {
  let sum = 0;
  await stores.each(async (db) => {
    const { rows } = await sql<{ count: number }>`select count(*)::float8 as count from identifier_split`.execute(db);
    sum += rows[0]?.count ?? 0;
  });
  return sum;
}
