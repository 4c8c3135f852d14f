import type { Sql } from '../../db/sql.ts';
import { invalid } from '../service-error.ts';
import { findTemplate } from '../templates/find-templates.ts';
import type { PreviewRequest } from '../templates/preview.ts';
import { findCampaign } from './find-campaigns.ts';

/** Which message of a campaign is to be seen. */
export interface OfCampaign {
  campaignId: string;
  /** From 1; undefined for what those get who try none. */
  variant: number | undefined;
}

/**
 * Returns the request for a preview of a template as a campaign sends it: the version that it is sent with, or would be now, with the
 * subject of the campaign or of its variant; and who would send it, if it names a sender. Throws `validation_error` for a campaign or
 * a variant that there is not, and for one that is sent with another template.
 */
export async function asCampaignSends(
  db: Sql,
  storeId: string,
  request: PreviewRequest,
  { campaignId, variant }: OfCampaign,
): Promise<{ request: PreviewRequest; senderId: string | undefined }> {
  const campaign = await findCampaign(db, storeId, campaignId);
  if (!campaign) throw invalid({ path: ['campaign_id'], problem: 'is not the id of a campaign' });
  const { id, name, templateId, templateVersion, subject, senderId, test, variants, couponPoolId } = campaign;
  const chosen = variant === undefined ? undefined : test?.variants[variant - 1];
  if (variant !== undefined && !chosen) {
    throw invalid({ path: ['variant'], problem: 'is not the number of a variant of the campaign' });
  }
  const pinned = variant === undefined ? undefined : variants?.[variant - 1];
  const ofVariant = chosen && 'templateId' in chosen ? chosen.templateId : undefined;
  if ((ofVariant ?? templateId) !== request.id) {
    throw invalid({ path: ['campaign_id'], problem: 'is that of a campaign which sends this by another template' });
  }
  const sent = pinned?.templateVersion ?? (ofVariant === undefined ? templateVersion : null);
  const version = request.version ?? sent ?? (await findTemplate(db, storeId, request.id))?.version ?? undefined;
  const said = {
    subject: chosen && 'subject' in chosen ? chosen.subject : subject,
    campaign: { id, name },
    givesCodes: couponPoolId !== null,
  };
  const sender = chosen && 'senderId' in chosen ? chosen.senderId : senderId;
  return { request: { ...request, version, said }, senderId: sender ?? undefined };
}
