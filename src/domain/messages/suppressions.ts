import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import type { Row } from '../../db/tables.ts';

/**
 * Has nothing sent to addresses any more, whoever has them, for good or until a time. Addresses are known by their digests
 * alone: what a store forgets of a customer, it forgets here too.
 */
export async function suppressAddresses(
  tx: Sql,
  storeId: string,
  digests: readonly Buffer[],
  reason: Row<'suppressed_address'>['reason'],
  until: Date | null = null,
): Promise<void> {
  const inOrder = [...new Set(digests.map((digest) => digest.toString('hex')))].sort();
  await sql`
    insert into suppressed_address (store_id, digest, reason, created_at, until)
    select ${storeId}::uuid, decode(digest, 'hex'), ${reason}, now(), ${until?.toISOString() ?? null}::timestamptz
    from unnest(${texts(inOrder)}::text[]) as d (digest)
    on conflict (store_id, digest) do update set reason = excluded.reason, until = excluded.until
    where suppressed_address.until is not null`.execute(tx);
}
