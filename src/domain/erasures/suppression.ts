import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import type { KnownIdentifier } from './erasure.ts';

/** Bytes of a block of SHA-256. */
const BLOCK = 64;
const [INNER, OUTER] = [0x36, 0x5c];

export interface Pads {
  inner: Buffer;
  outer: Buffer;
}

/** What is hashed: an identifier, or the id of a profile. */
export type Hashed = KnownIdentifier | { kind: 'profile'; value: string };

/** Returns the keyed hash of an identifier, as Postgres makes it in `suppressedRow`, or of the id of a profile. */
export function digestOf({ inner, outer }: Pads, { kind, value }: Hashed): Buffer {
  const sha256 = (...parts: readonly (Buffer | string)[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
  return sha256(outer, sha256(inner, `${kind} ${value}`));
}

/** Returns what makes the digests of a store, by its key, which is drawn for the first of them. */
export async function openDigests(tx: Sql, storeId: string): Promise<(one: Hashed) => Buffer> {
  const pads = (await readPads(tx, storeId)) ?? (await drawPads(tx, storeId));
  return (one) => digestOf(pads, one);
}

async function readPads(tx: Sql, storeId: string): Promise<Pads | undefined> {
  const { rows } = await sql<Pads>`
    select inner_pad as inner, outer_pad as outer from suppression_key where store_id = ${storeId}`.execute(tx);
  return rows[0];
}

async function drawPads(tx: Sql, storeId: string): Promise<Pads> {
  const key = Buffer.concat([randomBytes(BLOCK / 2)], BLOCK);
  const [inner, outer] = [INNER, OUTER].map((pad) => Buffer.from(key.map((byte) => byte ^ pad)));
  await sql`
    insert into suppression_key (store_id, inner_pad, outer_pad) values (${storeId}, ${inner}, ${outer})
    on conflict do nothing`.execute(tx);
  return (await readPads(tx, storeId)) as Pads;
}

/** Of what is there and what is inserted: null is for ever. */
export const LATER_UNTIL = sql`case
  when suppressed_identifier.until is null or excluded.until is null then null
  else greatest(suppressed_identifier.until, excluded.until) end`;

/** Has nobody be created with identifiers, by their digests, for some days or, with null, for ever. */
export async function suppressIdentifiers(
  tx: Sql,
  storeId: string,
  digests: readonly Buffer[],
  days: number | null,
): Promise<void> {
  if (digests.length === 0 || days === 0) return;
  await sql`
    insert into suppressed_identifier (store_id, digest, until)
    select ${storeId}::uuid, decode(digest, 'hex'), now() + make_interval(days => ${days}::int)
    from unnest(${hexOf(digests)}::text[]) as d (digest)
    on conflict (store_id, digest) do update set until = ${LATER_UNTIL}`.execute(tx);
}

/** Lets customers come back. Returns how many of the identifiers were suppressed. */
export async function releaseIdentifiers(
  db: Sql,
  storeId: string,
  identifiers: readonly KnownIdentifier[],
): Promise<number> {
  const pads = await readPads(db, storeId);
  if (!pads || identifiers.length === 0) return 0;
  const { rows } = await sql<{ isActive: boolean }>`
    delete from suppressed_identifier
    where store_id = ${storeId} and digest = any(
      select decode(digest, 'hex') from unnest(${hexOf(identifiers.map((one) => digestOf(pads, one)))}::text[]) as d (digest))
    returning until is null or until > now() as "isActive"`.execute(db);
  return rows.filter(({ isActive }) => isActive).length;
}

/** In order, so that no two transactions wait for each other. */
function hexOf(digests: readonly Buffer[]): Buffer {
  return texts([...new Set(digests.map((digest) => digest.toString('hex')))].sort());
}
