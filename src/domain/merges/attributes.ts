import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { RawJson } from '../../db/raw-json.ts';
import { searchableNames } from '../../db/searchable-names.ts';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { MAX_ATTRIBUTE_BYTES, MAX_ATTRIBUTES } from '../attributes/attributes.ts';
import { enter } from '../feed/entries.ts';
import { IDENTIFIER_KINDS, type IdentifierKind } from '../identifiers.ts';
import { invalid } from '../service-error.ts';
import { type AttributeChange, MAX_CHANGE_BYTES, MAX_VALUE_BYTES } from '../write/attribute-changes.ts';
import type { IdentifierChanges } from '../write/profile-history.ts';
import { insertProfileChanges, readWatchedNames } from '../write/watched-attributes.ts';
import type { MergeChanges, Merging } from './merge.ts';

/** What a profile has got from another one. */
interface Filled extends Pick<MergeChanges, 'filled' | 'lost'> {
  /** The attributes, and the identifiers that it shows since; only where that was asked for. */
  attributes: Record<string, AttributeChange>;
  shown: IdentifierChanges['shown'];
}

interface Found {
  shown: RawJson;
  count: number;
  bytes: number;
  filled: string[];
  lost: string[];
  first: string | null;
  last: string | null;
}

/** Of a name: it is searched by its beginning. */
const MAX_NAME = 1_000;

const nameOf = (attribute: string) => sql`
  case when jsonb_typeof(together -> ${sql.lit(attribute)}) in ('string', 'number')
    then left(together ->> ${sql.lit(attribute)}, ${sql.lit(MAX_NAME)}) end`;

/** Identifiers that it shows since, by their kind. */
const SHOWN = sql.join(
  IDENTIFIER_KINDS.map((kind) => {
    const [own, theirs] = [sql.ref(`w.${kind}`), sql.ref(`l.${kind}`)];
    return sql`${sql.lit(kind)}, case when ${own} is null then ${theirs} end`;
  }),
);

/**
 * Gives a profile what it lacks of another one, both of them locked: it keeps the identifiers that it shows, and its attributes.
 * Within the database, as attributes may be large. `tells`: whether their values are returned. Throws `validation_error` if there is
 * no room for them.
 */
export async function fillProfile(tx: Sql, { storeId, profileId, winnerId }: Merging, tells: boolean): Promise<Filled> {
  const { rows } = await sql<Found>`
    select (select count(*)::int from jsonb_object_keys(together)) as count, octet_length(together::text) as bytes,
      array(select key from jsonb_object_keys(theirs) key where not jsonb_exists(own, key)) as filled,
      array(select key from jsonb_object_keys(theirs) key
        where jsonb_exists(own, key) and own -> key is distinct from theirs -> key) as lost,
      ${nameOf('first_name')} as first, ${nameOf('last_name')} as last, shown
    from (
      select jsonb_strip_nulls(jsonb_build_object(${SHOWN})) as shown, w.attributes as own, l.attributes as theirs, l.attributes || w.attributes as together
      from profile w, profile l
      where w.store_id = ${storeId} and w.id = ${winnerId} and l.store_id = ${storeId} and l.id = ${profileId}
    ) both_of_them`.execute(tx);
  const [{ count, bytes, filled, lost, first, last, shown }] = rows as [Found];
  if (count > MAX_ATTRIBUTES) throw tooMany(`more than ${MAX_ATTRIBUTES} attributes`);
  if (bytes > MAX_ATTRIBUTE_BYTES) throw tooMany('more than 5 MB of attributes');
  const names = searchableNames({
    ...(first === null ? {} : { first_name: first }),
    ...(last === null ? {} : { last_name: last }),
  });
  await noteWatched(tx, { storeId, profileId, winnerId }, filled);
  const attributes = tells ? await takenOf(tx, storeId, profileId, filled) : {};
  await sql`
    with changed as (
      update profile w
      set external_id = coalesce(w.external_id, l.external_id), email = coalesce(w.email, l.email),
        phone = coalesce(w.phone, l.phone), anonymous_id = coalesce(w.anonymous_id, l.anonymous_id),
        source_id = coalesce(w.source_id, l.source_id), attributes = l.attributes || w.attributes,
        full_name = ${names.fullName}, last_name = ${names.lastName}, updated_at = now()
      from profile l
      where w.store_id = ${storeId} and w.id = ${winnerId} and l.store_id = ${storeId} and l.id = ${profileId}
      returning w.id, w.updated_at
    )
    insert into profile_update (store_id, updated_at, profile_ids)
    select ${storeId}::uuid, updated_at, array[id] from changed`.execute(tx);
  return { filled, lost, attributes, shown: shownSince(shown) };
}

function shownSince(found: RawJson): Filled['shown'] {
  const shown = Object.entries(found.parse<Partial<Record<IdentifierKind, string>>>());
  return Object.fromEntries(shown.map(([kind, to]) => [kind, { from: null, to }]));
}

function tooMany(what: string) {
  return invalid({ path: ['from'], problem: `has, together with the other profile, ${what}` });
}

/** Writes down, as history, which attributes that automations watch a profile gains. */
async function noteWatched(
  tx: Sql,
  { storeId, profileId, winnerId }: Merging,
  filled: readonly string[],
): Promise<void> {
  const watched = new Set(await readWatchedNames(tx, storeId));
  const names = filled.filter((name) => watched.has(name));
  if (names.length === 0) return;
  const changes = await takenOf(tx, storeId, profileId, names);
  const change = { id: newId(), profileId: winnerId, changes, depth: 0, chain: null, changedAt: new Date() };
  await insertProfileChanges(storeId, [{ ...change, isHistorical: true, fromClient: false }]).execute(tx);
  await enter(storeId, 'profile_change', [change]).execute(tx);
}

/** Attributes of a profile, as changes of whoever gains them. */
async function takenOf(
  tx: Sql,
  storeId: string,
  profileId: string,
  names: readonly string[],
): Promise<Record<string, AttributeChange>> {
  if (names.length === 0) return {};
  const { rows } = await sql<{ name: string; bytes: number; value: RawJson | null }>`
    select name, bytes, case when bytes <= ${MAX_VALUE_BYTES}::int then value end as value
    from (
      select name, p.attributes -> name as value, octet_length((p.attributes -> name)::text) as bytes
      from profile p, unnest(${texts(names)}::text[]) as name
      where p.store_id = ${storeId} and p.id = ${profileId}
    ) taken`.execute(tx);
  const changes = new Map<string, AttributeChange>();
  let kept = 0;
  for (const { name, bytes, value } of rows) {
    const isKept = value !== null && kept + bytes <= MAX_CHANGE_BYTES;
    if (isKept) kept += bytes;
    changes.set(name, { to: isKept ? value.parse<unknown>() : { omitted_bytes: bytes } });
  }
  return Object.fromEntries(changes);
}
