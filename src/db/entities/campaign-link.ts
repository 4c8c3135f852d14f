import { defineEntity, p } from '@mikro-orm/postgresql';

/** How often a link of the messages of a campaign was followed. */
export const CampaignLinkEntity = defineEntity({
  name: 'CampaignLink',
  tableName: 'campaign_link',
  properties: {
    storeId: p.uuid().primary(),
    campaignId: p.uuid().primary(),
    /** Of its variant, where these differ by the template. */
    templateId: p.uuid().primary(),
    /** Its place in the message, from 1. */
    link: p.integer().primary(),
    /** By people, and by programs. */
    clicks: p.bigint('number'),
    machineClicks: p.bigint('number'),
    /** Where it led whoever followed it last, without its query. */
    url: p.text(),
  },
});
