import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { invalid, ServiceError } from '../../service-error.ts';

/** What an audience may name. */
interface Named {
  kind: 'list' | 'segment' | 'campaign';
  id: string;
}

/**
 * Throws `validation_error` if a campaign is to begin, or looks for its recipients, that names a list, a segment or another. The
 * caller holds the row of that. A draft says itself that it is gone.
 */
export async function expectNoCampaignNames(tx: Sql, storeId: string, { kind, id }: Named): Promise<void> {
  const by = await findUnprepared(tx, storeId, sql`${id}::uuid = any(${sql.ref(`${kind}_ids`)})`);
  if (!by) return;
  throw invalid({ path: ['id'], problem: `is named by the campaign ${by.id} (${by.name}); cancel that first` });
}

/** The same for a sender that it, or one of its variants, is sent by. */
export async function expectNoCampaignSendsBy(tx: Sql, storeId: string, senderId: string): Promise<void> {
  const id = senderId.toLowerCase();
  const isOfVariant = sql`exists (select from json_array_elements(variants) v where v ->> 'senderId' = ${id})`;
  const by = await findUnprepared(tx, storeId, sql`(sender_id = ${id} or ${isOfVariant})`);
  if (!by) return;
  const message = `The sender is used by the campaign ${by.id} (${by.name}); cancel that first`;
  throw new ServiceError('validation_error', message);
}

/** The first one that is to begin, or looks for its recipients. */
async function findUnprepared(
  tx: Sql,
  storeId: string,
  which: RawBuilder<unknown>,
): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from campaign
    where store_id = ${storeId} and ${which} and prepared_at is null
      and status in ('scheduled', 'preparing', 'paused', 'held')
    order by id limit 1`.execute(tx);
  return rows[0];
}
