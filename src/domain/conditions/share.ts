import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from './compile-comparison.ts';

/** A random part of all customers, which stays the same: parts of one name from 0 to 100 that do not overlap share nobody. */
export interface Share {
  name: string;
  /** Percent; 0 by default. It belongs to the part, `to` does not. */
  from?: number;
  to: number;
}

const OF_ALL = 2 ** 32;

/** The place of a customer from 0 to below 100, drawn anew for each name. */
export function placeOf(profileId: string, name: string): number {
  const digest = createHash('sha256').update(`${name}:${profileId}`).digest();
  return (digest.readUInt32BE(0) / OF_ALL) * 100;
}

export function isInShare({ from = 0, to }: Share, place: number): boolean {
  return place >= from && place < to;
}

/** The same as `placeOf` and `isInShare`; `id` is a column of the type uuid. */
export function compileShare({ name, from = 0, to }: Share, id: Sql): { truth: Sql; place: Sql } {
  const digest = sql`sha256(convert_to(${name}::text || ':' || ${id}::text, 'UTF8'))`;
  const number = sql`('x' || encode(substr(${digest}, 1, 4), 'hex'))::bit(32)::bigint::float8`;
  const place = sql`(${number} / ${sql.lit(OF_ALL)}::float8 * 100)`;
  return { truth: sql`(${place} >= ${String(from)}::float8 and ${place} < ${String(to)}::float8)`, place };
}
