import { type RawBuilder, sql } from 'kysely';
import { rowById } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';
import { isId, LOWEST_ID } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import { canonicalEmailPrefix } from '../canonical/email.ts';
import { phoneSearches } from '../canonical/phone.ts';
import { allSpellings } from '../identifiers.ts';
import { readAliases } from '../profile-aliases.ts';
import { type IdentifierFilter, selectByIdentifier } from '../reading/profiles.ts';
import { selectByName } from '../reading/profiles-by-name.ts';
import type { Hit, Search, Searcher } from './hit.ts';

/** Characters of a name that are shown. */
const MAX_NAME = 100;
/** Digits from which on a text may be the beginning of a telephone number. */
const MIN_DIGITS = 3;
const DIGITS = /\p{Nd}/gu;
/** What is no part of a number, in any notation. */
const LETTER = /[\p{L}@]/u;

/** A way to find customers: by what is one of theirs for sure first. */
const by = (find: Searcher['find']): Searcher => ({ kind: 'customer', scopes: ['profiles:read'], find });

export const CUSTOMER_SEARCHERS: readonly Searcher[] = [
  by(byId),
  byKind('external_id', ({ text }) => ({ beginning: text })),
  byKind('source_id', ({ text }) => ({ values: [text] })),
  by(byPhone),
  byKind('email', ({ address }) => ({ beginning: canonicalEmailPrefix(address) })),
  by(byName),
];

function byKind(
  kind: IdentifierFilter['kind'],
  toFilter: (search: Search) => { values: readonly string[] } | { beginning: string },
): Searcher {
  return by((db, { storeId }, search) => byIdentifier(db, storeId, { kind, ...toFilter(search) }, search.limit));
}

/** Also by that of one who was merged into another. */
async function byId(db: Sql, { storeId }: Caller, { text }: Search): Promise<Hit[]> {
  if (!isId(text)) return [];
  const id = text.toLowerCase();
  const current = (await readAliases(db, storeId, [id])).get(id) ?? id;
  return await readCustomers(db, storeId, sql`select ${current}::uuid as profile_id, 1 as place`);
}

async function byPhone(db: Sql, { storeId, country }: Caller, { text, limit }: Search): Promise<Hit[]> {
  if (LETTER.test(text) || (text.match(DIGITS)?.length ?? 0) < MIN_DIGITS) return [];
  const found: Hit[] = [];
  for (const search of phoneSearches(text, country)) {
    const filter = 'whole' in search ? { values: allSpellings(search.whole) } : search;
    found.push(...(await byIdentifier(db, storeId, { kind: 'phone', ...filter }, limit)));
  }
  return found;
}

async function byName(db: Sql, { storeId }: Caller, { text, limit, knowsNames }: Search): Promise<Hit[]> {
  if (!knowsNames) return [];
  const named = selectByName(storeId, text, { name: '', id: LOWEST_ID }, limit);
  return await readCustomers(db, storeId, sql`select id as profile_id, name as place from (${named}) as named`);
}

async function byIdentifier(db: Sql, storeId: string, filter: IdentifierFilter, limit: number): Promise<Hit[]> {
  const owned = selectByIdentifier(storeId, filter, '', limit);
  return await readCustomers(db, storeId, sql`select profile_id, value as place from (${owned}) as owned`);
}

interface Row {
  id: string;
  first: string | null;
  last: string | null;
  email: string | null;
  phone: string | null;
  externalId: string | null;
}

/** Reads what tells customers apart, of a query of `profile_id` and `place`, in the order of that. */
async function readCustomers(db: Sql, storeId: string, chosen: RawBuilder<unknown>): Promise<Hit[]> {
  const name = (attribute: string) => sql`
    case when jsonb_typeof(p.attributes -> ${sql.lit(attribute)}) = 'string'
      then left(p.attributes ->> ${sql.lit(attribute)}, ${sql.lit(MAX_NAME)}) end`;
  const { rows } = await sql<Row>`
    select p.id, ${name('first_name')} as first, ${name('last_name')} as last, p.email, p.phone,
      p.external_id as "externalId"
    from (${chosen}) c
    cross join lateral ${rowById('profile', storeId, 'c.profile_id')} p
    order by c.place`.execute(db);
  return rows.map(toHit);
}

function toHit({ id, first, last, email, phone, externalId }: Row): Hit {
  const name = [first, last].filter(Boolean).join(' ').trim();
  const [title = id, ...others] = [name, email, phone, externalId].filter(Boolean) as string[];
  return { kind: 'customer', id, title, subtitle: others.join(' · ') || null, profileId: null };
}
