import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { always, type Once } from '../kept-answers.ts';
import { ServiceError } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { Campaign } from './campaign.ts';
import { lockCampaign } from './find-campaigns.ts';
import { expectNoCampaignNames } from './stored/named.ts';

const OVER = ['draft', 'sent', 'cancelled', 'missed'];

/**
 * Deletes a campaign that is a draft or over, and returns it as it was; undefined if the store has none with this id. Its
 * messages stay. Throws `validation_error` for any other, and while those of a cancelled one have not all ended.
 */
export async function deleteCampaign(
  db: Sql,
  storeId: string,
  id: string,
  once: Once<Campaign | undefined> = always,
): Promise<Campaign | undefined> {
  const remove = async (tx: Sql) => {
    const campaign = await lockCampaign(tx, storeId, id);
    if (!campaign) return undefined;
    if (!OVER.includes(campaign.status)) {
      const message = `Only a draft, or a campaign that is over, can be deleted: this one is ${campaign.status}`;
      throw new ServiceError('validation_error', message);
    }
    await expectNoCampaignNames(tx, storeId, { kind: 'campaign', id });
    // Messages that were put aside as it was paused would wait for ever without it.
    const { numAffectedRows = 0n } = await sql`
      delete from campaign where store_id = ${storeId} and id = ${id} and due_at is null`.execute(tx);
    if (numAffectedRows === 0n) {
      const message = 'Its messages are still being cancelled: delete it once none of them waits or is on its way';
      throw new ServiceError('validation_error', message);
    }
    for (const table of ['campaign_count', 'campaign_link']) {
      await sql`delete from ${sql.table(table)} where store_id = ${storeId} and campaign_id = ${id}`.execute(tx);
    }
    return campaign;
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => remove(tx))));
}
