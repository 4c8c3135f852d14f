import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import type { Row } from '../../db/tables.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { readEmail } from '../canonical/email.ts';
import { always, type Once } from '../kept-answers.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../reading/cursor.ts';
import { invalid } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { AddressDigest } from './core/address-digest.ts';

export type SuppressionReason = Row<'suppressed_address'>['reason'];

/** An address to which nothing is sent, whoever has it. */
export interface SuppressedAddress {
  id: string;
  /** In its canonical form; null if the store is to have forgotten it. */
  address: string | null;
  reason: SuppressionReason;
  /** Null: for good. */
  until: Date | null;
  suppressedAt: Date;
}

export interface SuppressionFilter {
  /** In its canonical form. */
  address?: string | undefined;
  reason?: SuppressionReason | undefined;
}

/** Returns addresses in their canonical form. Throws `validation_error` for the first that is none. */
export function canonicalAddresses(addresses: readonly string[]): string[] {
  return addresses.map((address, i) => {
    const canonical = readEmail(address)?.value;
    if (canonical === undefined) throw invalid({ path: ['addresses', i], problem: 'must be an e-mail address' });
    return canonical;
  });
}

/**
 * Has nothing sent to addresses any more, whoever has them, for good or until a time. Returns how many were not suppressed
 * for good before. They are compared by their digests, which stay when the store forgets a customer.
 */
export async function suppressAddresses(
  tx: Sql,
  storeId: string,
  addresses: readonly string[],
  digestOf: AddressDigest,
  reason: SuppressionReason,
  until: Date | null = null,
): Promise<number> {
  const byDigest = new Map(addresses.map((address) => [digestOf(address).toString('hex'), address]));
  // In order, so that no two transactions wait for each other.
  const inOrder = [...byDigest].sort(([one], [other]) => (one < other ? -1 : 1));
  const { rows } = await sql`
    insert into suppressed_address (store_id, digest, id, address, reason, created_at, until)
    select ${storeId}::uuid, decode(digest, 'hex'), id, address, ${reason}, now(), ${until?.toISOString() ?? null}::timestamptz
    from unnest(
      ${texts(inOrder.map(([digest]) => digest))}::text[],
      ${uuids(inOrder.map(newId))}::uuid[],
      ${texts(inOrder.map(([, address]) => address))}::text[]
    ) as d (digest, id, address)
    on conflict (store_id, digest) do update
    set reason = excluded.reason, until = excluded.until, address = excluded.address
    where suppressed_address.until is not null
    returning 1`.execute(tx);
  return rows.length;
}

/** Has addresses sent to again that were suppressed for a reason. */
export async function releaseAddresses(
  tx: Sql,
  storeId: string,
  addresses: readonly string[],
  digestOf: AddressDigest,
  reason: SuppressionReason,
): Promise<void> {
  const digests = [...new Set(addresses.map((address) => digestOf(address).toString('hex')))].sort();
  await sql`
    delete from suppressed_address s
    using (select decode(digest, 'hex') as digest from unnest(${texts(digests)}::text[]) as d (digest)) gone
    where s.store_id = ${storeId} and s.digest = gone.digest and s.reason = ${reason}`.execute(tx);
}

interface SuppressionRow extends Omit<SuppressedAddress, 'until' | 'suppressedAt'> {
  ends: number | null;
  began: number;
}

const COLUMNS = sql`
  id, address, reason, (extract(epoch from until) * 1000)::float8 as ends,
  (extract(epoch from created_at) * 1000)::float8 as began`;

/** Returns those that nothing is sent to now, the latest first. */
export async function listSuppressedAddresses(
  db: Sql,
  storeId: string,
  { address, reason }: SuppressionFilter,
  digestOf: AddressDigest,
  page: PageRequest,
): Promise<Page<SuppressedAddress>> {
  const before = readBefore(page.cursor);
  const { rows } = await sql<SuppressionRow & { candidates?: never }>`
    select ${COLUMNS} from suppressed_address
    where store_id = ${storeId} and id < ${before} and (until is null or until > now())
      ${address === undefined ? sql`` : sql`and digest = ${digestOf(address)}`}
      ${reason === undefined ? sql`` : sql`and reason = ${reason}`}
    order by ${reason === undefined ? sql`` : sql`reason desc,`} id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, fromRow, idCursor);
}

/** Has an address sent to again, and returns what it was; undefined if the store has no such one. */
export async function releaseAddress(
  db: Sql,
  storeId: string,
  id: string,
  once: Once<SuppressedAddress | undefined> = always,
): Promise<SuppressedAddress | undefined> {
  const release = async (tx: Sql) => {
    const { rows } = await sql<SuppressionRow>`
      delete from suppressed_address where store_id = ${storeId} and id = ${id} returning ${COLUMNS}`.execute(tx);
    return rows[0] && fromRow(rows[0]);
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => release(tx))));
}

function fromRow({ ends, began, ...row }: SuppressionRow): SuppressedAddress {
  return { ...row, until: ends === null ? null : new Date(ends), suppressedAt: new Date(began) };
}
