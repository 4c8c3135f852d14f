import { type RawBuilder, sql } from 'kysely';

/**
 * Maximum bytes of a `json` column when it is sent. An uncompressed value is as large as it is stored; compressed ones
 * are estimated, as decompressing them would cost as much as sending them: pglz needs at least 3 bytes and a bit per
 * 273, and LZ4 one per 255.
 */
export function maxJsonBytes(column: string): RawBuilder<number> {
  const data = sql.ref(column);
  return sql`(coalesce(pg_column_size(${data}), 0)
    * case pg_column_compression(${data}) when 'lz4' then 255 when 'pglz' then 88 else 1 end::bigint)`;
}

/** The same for `jsonb`, which stores a number of 300 digits, such as 1e300, in 12 bytes. */
export function maxJsonbBytes(column: string): RawBuilder<number> {
  return sql`(${maxJsonBytes(column)} * 27)`;
}
