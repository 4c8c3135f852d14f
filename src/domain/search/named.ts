import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import { HIGHEST_ID } from '../../ids/uuid-v7.ts';
import type { Caller, Scope } from '../caller.ts';
import { canonicalText } from '../canonical/text.ts';
import type { Hit, HitKind, Search, Searcher } from './hit.ts';

/** Rows that are looked at, the newest ones: of what is not archived, stores may have as many of each kind. */
const MAX_LOOKED_AT = 1_000;
const BLANKS = /\s+/;

/** What a store has few enough of to look at all their names. */
const NAMED = [
  { kind: 'segment', table: 'segment', scope: 'audiences:read', status: null },
  { kind: 'list', table: 'list', scope: 'audiences:read', status: null },
  { kind: 'automation', table: 'automation', scope: 'automations:read', status: 'status' },
  { kind: 'campaign', table: 'campaign', scope: 'messages:read', status: 'status' },
  { kind: 'template', table: 'template', scope: 'messages:read', status: 'status' },
] as const satisfies { kind: HitKind; table: keyof Tables; scope: Scope; status: string | null }[];

export const NAMED_SEARCHERS: readonly Searcher[] = NAMED.map(({ kind, table, scope, status }) => ({
  kind,
  scopes: [scope],
  find: (db, caller, search) => byName(db, caller, search, { kind, table, status }),
}));

interface Row {
  id: string;
  name: string;
  status: string | null;
}

async function byName(
  db: Sql,
  { storeId }: Caller,
  { text, limit }: Search,
  { kind, table, status }: { kind: HitKind; table: keyof Tables & string; status: string | null },
): Promise<Hit[]> {
  const { rows } = await sql<Row>`
    select id, name, ${status === null ? sql`null::text` : sql.ref(status)} as status from ${sql.table(table)}
    where store_id = ${storeId} and id <= ${HIGHEST_ID}::uuid
      and ${status === null ? sql`true` : sql`${sql.ref(status)} <> 'archived'`}
    order by id desc
    limit ${MAX_LOOKED_AT}`.execute(db);
  const byId = rows.filter(({ id }) => id === text.toLowerCase());
  const found = byId.length > 0 ? byId : best(text, limit, rows, ({ name }) => name);
  return found.map(({ id, name, status: subtitle }) => ({ kind, id, title: name, subtitle, profileId: null }));
}

/**
 * Returns those whose names have all the words of a text, in whatever case: first those that begin with it, then those with a
 * word that does, and of each the ones that came first.
 */
export function best<Item>(
  text: string,
  limit: number,
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  const wanted = comparable(text);
  const words = wanted.split(BLANKS);
  const ranked: Item[][] = [[], [], []];
  for (const item of items) {
    const name = comparable(nameOf(item));
    if (!words.every((word) => name.includes(word))) continue;
    const rank = name.startsWith(wanted) ? 0 : ` ${name}`.includes(` ${wanted}`) ? 1 : 2;
    ranked[rank]?.push(item);
  }
  return ranked.flat().slice(0, limit);
}

function comparable(text: string): string {
  return canonicalText(text).toLowerCase().trim();
}
