import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { invalid } from '../service-error.ts';
import type { AudiencePart } from './campaign.ts';

/**
 * Throws `validation_error` if a campaign is to begin, or looks for its recipients, that names a list, a segment or another. The
 * caller holds the row of that. A draft says itself that it is gone.
 */
export async function expectNoCampaignNames(
  tx: Sql,
  storeId: string,
  { kind, id }: Pick<AudiencePart, 'kind' | 'id'>,
): Promise<void> {
  const column = sql.ref(`${kind}_ids`);
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from campaign
    where store_id = ${storeId} and ${id}::uuid = any(${column}) and prepared_at is null
      and status in ('scheduled', 'preparing', 'paused', 'held')
    order by id limit 1`.execute(tx);
  const [by] = rows;
  if (!by) return;
  throw invalid({ path: ['id'], problem: `is named by the campaign ${by.id} (${by.name}); cancel that first` });
}
