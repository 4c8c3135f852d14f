import { defineEntity, p } from '@mikro-orm/postgresql';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import { RawJsonType } from './raw-json-type.ts';

/** What became of the messages of a large campaign, as it was counted last, and how far the next count is. */
export const CampaignCountEntity = defineEntity({
  name: 'CampaignCount',
  tableName: 'campaign_count',
  properties: {
    storeId: p.uuid().primary(),
    campaignId: p.uuid().primary(),
    /** The last message of those that are counted so far. */
    reached: p.uuid().default(LOWEST_ID),
    /** When the count was begun that is over, and the one that is under way. */
    countedAt: p.datetime(3).nullable(),
    begunAt: p.datetime(3).nullable(),
    /** When to go on; null as long as nothing changes. */
    dueAt: p.datetime(3).nullable(),
    /** How often they are to be counted after something has changed. */
    roundsLeft: p.smallint().default(0),
    counts: p.type(RawJsonType).columnType('json').nullable(),
    running: p.type(RawJsonType).columnType('json').nullable(),
  },
  indexes: [{ name: 'campaign_count_due', properties: ['storeId', 'dueAt'], where: 'due_at is not null' }],
});
