import type { Row } from '../../db/tables.ts';
import type { Audience } from '../conditions/audience.ts';

export type CampaignStatus = Row<'campaign'>['status'];
export type CampaignChannel = Row<'campaign'>['channel'];

/** Who gets a campaign: whoever is in any of these lists and segments, and in none of those. */
export interface CampaignAudience {
  any: readonly Audience[];
  not: readonly Audience[];
}

/** What a campaign is, as long as it is a draft. */
export interface CampaignDraft {
  name: string;
  channel: CampaignChannel;
  templateId: string | null;
  /** Null for the sender that is the default once it is scheduled. */
  senderId: string | null;
  audience: CampaignAudience | null;
}

export interface Campaign extends CampaignDraft {
  id: string;
  status: CampaignStatus;
  /** Why it has paused itself: a code, perhaps with more. */
  reason: string | null;
  revision: number;
  /** Both null for a draft. */
  templateVersion: number | null;
  class: 'marketing' | 'transactional' | null;
  /** Those found so far. */
  recipients: number;
  scheduledAt: Date | null;
  /** The time that the ids of its messages have. */
  startedAt: Date | null;
  /** When all recipients were found. */
  preparedAt: Date | null;
  finishedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}
