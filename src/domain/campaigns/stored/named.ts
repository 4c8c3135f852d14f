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
  const by = await findNotOver(tx, storeId, sql`prepared_at is null and ${id}::uuid = any(${sql.ref(`${kind}_ids`)})`);
  if (!by) return;
  throw invalid({ path: ['id'], problem: `is named by the campaign ${by.id} (${by.name}); cancel that first` });
}

/** The same for a sender that it, or one of its variants, is sent by; also where the rest have yet to get the variant that wins. */
export async function expectNoCampaignSendsBy(tx: Sql, storeId: string, senderId: string): Promise<void> {
  const id = senderId.toLowerCase();
  const isOfVariant = sql`exists (select from json_array_elements(variants) v where v ->> 'senderId' = ${id})`;
  const isUndecided = sql`(test is not null and (verdict is null or has_parked))`;
  const which = sql`(prepared_at is null or ${isUndecided}) and (sender_id = ${id} or ${isOfVariant})`;
  const by = await findNotOver(tx, storeId, which);
  if (!by) return;
  const message = `The sender is used by the campaign ${by.id} (${by.name}); cancel that first`;
  throw new ServiceError('validation_error', message);
}

/** The same for a coupon pool whose codes its recipients get, until they have. */
export async function expectNoCampaignGivesFrom(tx: Sql, storeId: string, poolId: string): Promise<void> {
  const by = await findNotOver(tx, storeId, sql`coupon_pool_id = ${poolId}`);
  if (!by) return;
  const message = `The pool is used by the campaign ${by.id} (${by.name}); cancel that first`;
  throw new ServiceError('validation_error', message);
}

/** The first one that is to begin, or has. */
async function findNotOver(
  tx: Sql,
  storeId: string,
  which: RawBuilder<unknown>,
): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from campaign
    where store_id = ${storeId} and ${which} and status in ('scheduled', 'preparing', 'sending', 'paused', 'held')
    order by id limit 1`.execute(tx);
  return rows[0];
}
