import { sql } from 'kysely';
import type { Sql } from './compile-comparison.ts';
import { OF_ALL, type Share } from './share.ts';

/** The same as `placeOf` and `isInShare`; `id` is a column of the type uuid. */
export function compileShare({ name, from = 0, to }: Share, id: Sql): { truth: Sql; place: Sql } {
  const digest = sql`sha256(convert_to(${name}::text || ':' || ${id}::text, 'UTF8'))`;
  const number = sql`('x' || encode(substr(${digest}, 1, 4), 'hex'))::bit(32)::bigint::float8`;
  const place = sql`(${number} / ${sql.lit(OF_ALL)}::float8 * 100)`;
  return { truth: sql`(${place} >= ${String(from)}::float8 and ${place} < ${String(to)}::float8)`, place };
}
