import { type RawBuilder, sql } from 'kysely';
import { integers, texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { insertProfileUpdatesAt } from '../../db/profile-updates.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { isBackfill, type NewEvent } from '../event.ts';
import { enter } from '../feed/entries.ts';
import { IDENTIFIER_KINDS, type IdentifierKind } from '../identifiers.ts';
import type { Draft, Recorded } from './draft.ts';
import { insertChangedProfiles, insertCounts, insertEvents, steps } from './insert.ts';
import { insertHistoryOfNew, type Origin } from './profile-history.ts';
import { suppressedRow } from './suppressed.ts';

/** A customer that drafts identify by the same identifier. */
interface Customer {
  /** Counted from 1. */
  n: number;
  kind: IdentifierKind;
  value: string;
  /** The profile's id; until the look-up, that of the profile that would be created. */
  profileId: string;
  isKnown: boolean;
  /** Who sent the first of the drafts, where the store keeps a history of its customers. */
  origin: Origin | undefined;
}

/** A draft that one statement can record. */
interface Entry {
  event: NewEvent;
  customer: Customer;
  keyWithin: string | undefined;
}

/**
 * Looks up and writes a typical batch, events of customers each named by one identifier, in one statement: the cost of
 * a small batch is its round trips. Writes nothing and returns undefined if a draft is anything else, if only some of the
 * events are history, if two events, one possibly recorded before, have the same idempotency key, or if somebody who would
 * be created was erased.
 */
export async function recordInOneStatement(
  db: Sql,
  storeId: string,
  drafts: readonly Draft[],
): Promise<Recorded[] | undefined> {
  const customers = new Customers();
  const entries: Entry[] = [];
  for (const draft of drafts) {
    const kind = draft.event && onlyKind(draft);
    if (!kind) return undefined;
    const customer = customers.named(kind, draft.identifiers[kind] as string, draft.origin);
    entries.push({ event: draft.event as NewEvent, customer, keyWithin: draft.idempotencyScope });
  }
  const histories = entries.filter(({ event }) => isBackfill(event)).length;
  if (histories > 0 && histories < entries.length) return undefined;
  const keyed = entries.filter(({ event }) => event.idempotencyKey !== null);
  if (entries.length === 0) return undefined;
  const { rows } = await sql<{ ids: string; isDoubtful: boolean }>`
    with ${findCustomers(storeId, customers.all)}, ${findDoubtful(storeId, keyed)}, ${insertAll(storeId, entries, customers.all)}
    select array_to_string(ids, ',') as ids, exists (select from doubtful) as "isDoubtful" from profile_of`.execute(db);
  const [found] = rows;
  if (!found || found.isDoubtful) return undefined;
  for (const [i, id] of found.ids.split(',').entries()) {
    const customer = customers.all[i] as Customer;
    customer.isKnown = id !== customer.profileId;
    customer.profileId = id;
  }
  return entries.map(({ event, customer }) => {
    const { profileId, isKnown } = customer;
    customer.isKnown = true;
    return { profileId, profile: undefined, profileCreated: !isKnown, event: { ...event, profileId }, replayed: false };
  });
}

/** The distinct customers of a batch. */
class Customers {
  readonly all: Customer[] = [];
  readonly #byKind: Record<IdentifierKind, Map<string, Customer>> = {
    external_id: new Map(),
    email: new Map(),
    phone: new Map(),
    anonymous_id: new Map(),
    source_id: new Map(),
  };

  named(kind: IdentifierKind, value: string, origin: Origin | undefined): Customer {
    let customer = this.#byKind[kind].get(value);
    if (!customer) {
      customer = { n: this.all.length + 1, kind, value, profileId: newId(), isKnown: false, origin };
      this.all.push(customer);
      this.#byKind[kind].set(value, customer);
    }
    return customer;
  }
}

/** Returns the kind of the only identifier of a draft; undefined if it has more, or needs a closer look. */
function onlyKind(draft: Draft): IdentifierKind | undefined {
  const { identifiers, profileId, addEmails, dropEmails, patch, isUntrusted } = draft;
  if ((profileId ?? addEmails ?? dropEmails ?? patch) !== undefined) return undefined;
  // Each has several values to look up, or may not be given to a new profile.
  if (identifiers.spellings || (isUntrusted && identifiers.external_id !== undefined)) return undefined;
  let only: IdentifierKind | undefined;
  for (const kind of IDENTIFIER_KINDS) {
    if (identifiers[kind] === undefined) continue;
    if (only) return undefined;
    only = kind;
  }
  return only;
}

/** `customer`: who is known already, and each one's profile from now on; `profile_of`: the profile ids as an array. */
function findCustomers(storeId: string, customers: readonly Customer[]): RawBuilder<unknown> {
  return sql`
    customer as materialized (
      select c.n, c.kind, c.value, coalesce(i.profile_id, c.new_id) as profile_id, i.profile_id is not null as is_known
      from unnest(
        ${texts(customers.map(({ kind }) => kind))}::text[],
        ${texts(customers.map(({ value }) => value))}::text[],
        ${uuids(customers.map(({ profileId }) => profileId))}::uuid[]) with ordinality as c (kind, value, new_id, n)
      left join lateral (
        select profile_id from profile_identifier
        where store_id = ${storeId} and kind = c.kind and value = c.value limit 1
      ) i on true
    ), profile_of as materialized (
      select array_agg(profile_id order by n) as ids from customer
    )`;
}

/** Returns the profile id of a customer, by the number in a column. */
function profileIdOf(column: string): RawBuilder<unknown> {
  return sql`(select ids from profile_of)[${sql.ref(column)}]`;
}

/**
 * `keyed`: the idempotency keys with their scopes; `doubtful`: a row for each key that was processed before or occurs
 * twice, and for each new customer whose identifier is suppressed. Only the statement can tell whether two keys are equal, as
 * two customers may turn out to have one profile.
 */
function findDoubtful(storeId: string, keyed: readonly Entry[]): RawBuilder<unknown> {
  return sql`
    keyed as materialized (
      select r.key, r.event_id,
        case when r.key_within is null then '' else ${profileIdOf('r.customer')} || ' ' || r.key_within end as scope
      from unnest(
        ${integers(keyed.map(({ customer }) => customer.n))}::int[],
        ${texts(keyed.map(({ keyWithin = null }) => keyWithin))}::text[],
        ${texts(keyed.map(({ event }) => event.idempotencyKey))}::text[],
        ${uuids(keyed.map(({ event }) => event.id))}::uuid[]) as r (customer, key_within, key, event_id)
    ), doubtful as materialized (
      select 1 from keyed
      cross join lateral (
        select from idempotency_key where store_id = ${storeId} and scope = keyed.scope and key = keyed.key limit 1
      ) k
      union all
      select 1 from keyed group by scope, key having count(*) > 1
      union all
      select 1 from customer
      cross join lateral ${suppressedRow(storeId, NEW_CUSTOMER, sql`not customer.is_known`)} s
    )`;
}

const NEW_CUSTOMER = { kind: sql`customer.kind`, value: sql`customer.value` };

const UNLESS_DOUBTFUL = sql`not exists (select from doubtful)`;

/** Rows are sorted, as in `insertWrites`. */
function insertAll(storeId: string, entries: readonly Entry[], customers: readonly Customer[]): RawBuilder<unknown> {
  const now = new Date().toISOString();
  const events = entries.map(({ event }) => event);
  const numbers = sql`${integers(entries.map(({ customer }) => customer.n))}::int[]`;
  const shownIf = (kind: IdentifierKind) => sql`case kind when ${sql.lit(kind)} then value end`;
  const insertions = [
    sql`
      insert into profile
        (store_id, id, external_id, email, phone, anonymous_id, source_id, attributes, created_at, updated_at)
      select ${storeId}::uuid, profile_id, ${shownIf('external_id')}, ${shownIf('email')}, ${shownIf('phone')},
        ${shownIf('anonymous_id')}, ${shownIf('source_id')}, '{}', ${now}::timestamptz, ${now}::timestamptz
      from customer
      where not is_known and ${UNLESS_DOUBTFUL}`,
    insertProfileUpdatesAt(
      storeId,
      sql`${now}::timestamptz`,
      sql`select profile_id as id, n from customer where not is_known and ${UNLESS_DOUBTFUL}`,
    ),
    sql`
      insert into profile_identifier (store_id, kind, value, profile_id)
      select ${storeId}::uuid, kind, value, profile_id
      from customer
      where not is_known and ${UNLESS_DOUBTFUL}
      order by kind collate "C", value collate "C"`,
    sql`
      insert into idempotency_key (store_id, scope, key, event_id)
      select ${storeId}::uuid, scope, key, event_id
      from keyed
      where ${UNLESS_DOUBTFUL}
      order by scope collate "C", key collate "C"`,
    insertCounts(storeId, events, UNLESS_DOUBTFUL),
    insertChangedProfiles(
      storeId,
      sql`
        select ids from (select array_agg(profile_id) as ids from customer where not is_known) as created
        where ids is not null and ${UNLESS_DOUBTFUL}`,
      events.every(isBackfill) ? { cause: 'import' } : {},
    ),
    enter(storeId, 'event', events, UNLESS_DOUBTFUL),
    insertEvents(storeId, events, { values: numbers, id: profileIdOf('r.owner') }, UNLESS_DOUBTFUL),
    ...(customers.some(({ origin }) => origin) ? [insertHistoryOfNew(storeId, customers, now, UNLESS_DOUBTFUL)] : []),
  ];
  return steps(insertions);
}
