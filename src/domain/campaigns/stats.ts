import type { Sql } from '../../db/sql.ts';
import { readCircumstances } from '../messages/core/circumstances.ts';
import type { MessageStatus, WhyNot } from '../messages/core/message.ts';
import { whySenderWaits } from '../messages/core/why-not.ts';
import { type Revenue, readRevenueOf } from '../tracking/attribution/report.ts';
import type { Campaign } from './campaign.ts';
import { type MessageCount, readCounts } from './counting/count.ts';
import { addUpDomains, type DomainCount } from './counting/domains.ts';
import { endOfHoldOut } from './counting/orders.ts';
import { findCampaign } from './find-campaigns.ts';
import { compareHoldOut, type HoldOut } from './hold-out.ts';
import { type CampaignLink, readLinks } from './links.ts';
import { countOrders, variantsOf } from './variants/count-variants.ts';
import { type Comparison, compareVariants, type VariantCounts } from './variants/verdict.ts';

/** Domains that are shown by themselves. */
const MOST_DOMAINS = 20;

/** What became of the messages of a campaign. */
export interface CampaignStats {
  /** When it was counted; null before that was done first. */
  countedAt: Date | null;
  /** As many as all the messages together. */
  recipients: number;
  /** Of those that were found: whose profiles have no time zone, and who have what is none. */
  withoutZone: number;
  unknownZone: number;
  messages: { status: MessageStatus; reason: string | null; count: number }[];
  opened: number;
  clicked: number;
  machineOpened: number;
  machineClicked: number;
  /** Recipients who got nothing, so that they can be compared. */
  heldOut: number;
  /** What they ordered, beside the others; null where nobody is held out, and before it has begun. */
  holdOut: HoldOut | null;
  /** Of the most messages; the last may be all others. */
  domains: DomainCount[];
  links: CampaignLink[];
  /** Of those who try one. */
  variants: VariantCounts[];
  /** Null without a test, and before it has begun. */
  comparison: Comparison | null;
  /** What its messages led to, by currency. */
  revenue: Revenue[];
  /** Why none of its messages are begun, though it is sent; null where nothing holds them up. */
  whyNot: WhyNot | null;
}

/** Undefined if the store has no such campaign. */
export async function readCampaignStats(db: Sql, storeId: string, id: string): Promise<CampaignStats | undefined> {
  const campaign = await findCampaign(db, storeId, id);
  if (!campaign) return undefined;
  const { test, startedAt } = campaign;
  const { counts, domains, orders, countedAt } = await readCounts(db, storeId, campaign);
  const ordersUntil = await endOfHoldOut(db, storeId, campaign);
  const variants = test && startedAt ? variantsOf(test, counts, await countOrders(db, storeId, id)) : [];
  const sum = (of: (row: MessageCount) => number) => counts.reduce((total, row) => total + of(row), 0);
  const recipients = sum(({ count }) => count);
  const heldOut = sum(({ reason, count }) => (reason === 'hold_out' ? count : 0));
  return {
    countedAt,
    recipients,
    withoutZone: campaign.withoutZone,
    unknownZone: campaign.unknownZone,
    messages: byStatus(counts),
    opened: sum((row) => row.opened),
    clicked: sum((row) => row.clicked),
    machineOpened: sum((row) => row.machineOpened),
    machineClicked: sum((row) => row.machineClicked),
    heldOut,
    holdOut: ordersUntil && compareHoldOut(orders, { recipients, heldOut }, ordersUntil),
    domains: addUpDomains(domains, MOST_DOMAINS),
    links: startedAt ? await readLinks(db, storeId, id) : [],
    variants,
    comparison: test && startedAt ? compareVariants(variants, test.decideBy) : null,
    revenue: startedAt ? await readRevenueOf(db, storeId, id) : [],
    whyNot: await whyItWaits(db, storeId, campaign),
  };
}

/** What holds up the first of its senders that does not send. */
async function whyItWaits(
  db: Sql,
  storeId: string,
  { status, channel, senderId, variants }: Campaign,
): Promise<WhyNot | null> {
  if ((status !== 'preparing' && status !== 'sending') || senderId === null) return null;
  const ids = [senderId, ...(variants ?? []).map((one) => one.senderId)];
  const circumstances = await readCircumstances(db, storeId, ids);
  const reasons = [...circumstances.values()].map(({ sender }) => whySenderWaits(sender, channel, Date.now()));
  return reasons.find((one) => one !== null) ?? null;
}

/** The most frequent first. */
function byStatus(counts: readonly MessageCount[]): CampaignStats['messages'] {
  const groups = Map.groupBy(counts, ({ status, reason }) => `${status} ${reason ?? ''}`);
  const sorted = [...groups].map(([key, some]) => {
    const [{ status, reason }] = some as [MessageCount];
    return { key, status, reason, count: some.reduce((sum, { count }) => sum + count, 0) };
  });
  sorted.sort((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1));
  return sorted.map(({ key: _, ...count }) => count);
}
