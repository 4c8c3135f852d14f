import type { Row } from '../../db/tables.ts';
import type { Audience } from '../conditions/audience.ts';
import type { CampaignTiming } from './timing.ts';

export type CampaignStatus = Row<'campaign'>['status'];
export type CampaignChannel = Row<'campaign'>['channel'];
export type Verdict = NonNullable<Row<'campaign'>['verdict']>;

/** Recipients of a campaign that has begun, by what became of their messages. */
export interface RecipientsOf {
  kind: 'campaign';
  id: string;
  who: 'non_openers' | 'non_clickers' | 'skipped' | 'failed';
}

export type AudiencePart = Audience | RecipientsOf;

/** Who gets a campaign: whoever is in any of these, and in none of those. */
export interface CampaignAudience {
  any: readonly AudiencePart[];
  not: readonly AudiencePart[];
}

/** One of the variants of a campaign, by what differs from the campaign. */
export type CampaignVariant = { subject: string } | { templateId: string } | { senderId: string };

/** Variants that are tried on some, before the rest get the best. They are counted from 1. */
export interface CampaignTest {
  variants: readonly CampaignVariant[];
  /** How many of a hundred try one. */
  percent: number;
  decideBy: 'clicks' | 'opens' | 'orders';
  /** A duration. */
  after: string;
  /** `first`: the rest get the first that arrived; `wait`: somebody chooses. */
  ifUnclear: 'first' | 'wait';
}

/** What a variant is sent with. */
export interface PinnedVariant {
  /** Null for that of the template. */
  subject: string | null;
  templateId: string;
  templateVersion: number;
  senderId: string;
}

/** What a campaign is, as long as it is a draft. */
export interface CampaignDraft {
  name: string;
  channel: CampaignChannel;
  templateId: string | null;
  /** In place of that of the template, for whoever gets no variant that has its own; null for that. */
  subject: string | null;
  /** Null for the sender that is the default once it is scheduled. */
  senderId: string | null;
  audience: CampaignAudience | null;
  /** Null: all at once, as soon as it has begun. */
  timing: CampaignTiming | null;
  test: CampaignTest | null;
  /** How many of a hundred get nothing. */
  holdOut: number;
  /** From which each recipient gets a code; null for none. */
  couponPoolId: string | null;
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
  /** Null for a draft, and where all get the same. */
  variants: readonly PinnedVariant[] | null;
  /** Null before its test is decided. */
  verdict: Verdict | null;
  winner: number | null;
  /** Those found so far. */
  recipients: number;
  /** Those of them whose profiles have no time zone, and those who have what is none. */
  withoutZone: number;
  unknownZone: number;
  scheduledAt: Date | null;
  /** The time that the ids of its messages have. */
  startedAt: Date | null;
  /** When all recipients were found. */
  preparedAt: Date | null;
  finishedAt: Date | null;
  /** When the last message of its test had been tried, and when that was decided. */
  testedAt: Date | null;
  decidedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}
