import type { Sql } from '../../../db/sql.ts';
import { chosenSender } from '../../senders/chosen-sender.ts';
import { invalid, ServiceError, type Violation } from '../../service-error.ts';
import { expectSendable } from '../../templates/sendable.ts';
import type { Campaign, CampaignVariant, PinnedVariant } from '../campaign.ts';

/** What a campaign itself is sent with, of a channel and a class. */
export type Base = Omit<PinnedVariant, 'subject'> &
  Pick<Campaign, 'channel'> & { class: 'marketing' | 'transactional' };

/**
 * Returns what a variant is sent with: all but what differs is that of the campaign. Throws `validation_error`, by its place
 * among the variants, for a template or a sender that it can't be sent with.
 */
export async function pinVariant(
  tx: Sql,
  storeId: string,
  { channel, class: messageClass, templateId, templateVersion, senderId }: Base,
  variant: CampaignVariant,
  place: number,
  pinned: PinnedVariant | undefined,
): Promise<PinnedVariant> {
  const as = { subject: null, templateId, templateVersion, senderId };
  if ('subject' in variant) return { ...as, subject: variant.subject };
  return await within(['test', 'variants', place], async () => {
    if ('senderId' in variant) {
      const sender = await chosenSender(tx, storeId, variant.senderId, { channel, class: messageClass });
      return { ...as, senderId: sender.id };
    }
    const own = await expectSendable(tx, storeId, variant.templateId, pinned?.templateVersion, channel, {
      wasChosen: pinned !== undefined,
    });
    if (own.class !== messageClass) {
      const problem = `is that of a template for ${own.class} messages, and that of the campaign is for ${messageClass} ones`;
      throw invalid({ path: ['template_id'], problem });
    }
    return { ...as, templateId: variant.templateId, templateVersion: own.number };
  });
}

/** Names fields by where they stand. */
async function within<Found>(place: Violation['path'], find: () => Promise<Found>): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    const [first] = error instanceof ServiceError ? error.violations : [];
    throw first ? invalid({ ...first, path: [...place, ...first.path] }) : error;
  }
}
