import { type RawBuilder, sql } from 'kysely';

/**
 * Bytes that a `json` column has at most when it is sent. What is not compressed is as large as it is stored; the
 * others are not looked into, which would cost as much as to send them: pglz makes at best 3 bytes and a bit of 273,
 * and LZ4 one of 255.
 */
export function maxJsonBytes(column: string): RawBuilder<number> {
  const data = sql.ref(column);
  return sql`(coalesce(pg_column_size(${data}), 0)
    * case pg_column_compression(${data}) when 'lz4' then 255 when 'pglz' then 88 else 1 end::bigint)`;
}

/** The same for `jsonb`, which has a number of 300 digits, such as 1e300, in 12 bytes. */
export function maxJsonbBytes(column: string): RawBuilder<number> {
  return sql`(${maxJsonBytes(column)} * 27)`;
}
