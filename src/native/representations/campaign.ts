import type {
  CampaignAudienceInput,
  CampaignAudiencePart,
  CampaignAudiencePartInput,
  Campaign as CampaignBody,
  CampaignHoldOut,
  CampaignTestInput,
  CampaignTiming as CampaignTimingBody,
  CampaignTimingInput,
  CampaignVariantInput,
  CampaignCheck as CheckBody,
  CampaignEstimate as EstimateBody,
  CampaignTestOutcome as OutcomeBody,
  CampaignStats as StatsBody,
  CampaignTest as TestBody,
  CampaignVariant as VariantBody,
} from '../../../generated/native/types.gen.ts';
import type {
  AudiencePart,
  Campaign,
  CampaignAudience,
  CampaignDraft,
  CampaignTest,
  CampaignVariant,
} from '../../domain/campaigns/campaign.ts';
import type { CampaignCheck } from '../../domain/campaigns/check.ts';
import type { CampaignRevision } from '../../domain/campaigns/drafts.ts';
import type { CampaignEstimate } from '../../domain/campaigns/estimate.ts';
import type { HoldOut, HoldOutGroup } from '../../domain/campaigns/hold-out.ts';
import type { CampaignStats } from '../../domain/campaigns/stats.ts';
import type { CampaignTiming } from '../../domain/campaigns/timing.ts';
import { WEEKDAYS } from '../../domain/time/local.ts';
import { renderWhyNot } from './message.ts';
import { ordersOf, renderRevenue } from './revenue.ts';

interface DraftInput {
  name: string;
  channel: Campaign['channel'];
  template_id?: string | null;
  subject?: string | null;
  sender_id?: string | null;
  audience?: CampaignAudienceInput | null;
  timing?: CampaignTimingInput | null;
  test?: CampaignTestInput | null;
  hold_out_percent?: number;
  coupon_pool_id?: string | null;
}

/** A draft in the place of another, of which a pool of coupons that is left out stays. */
export function toCampaignRevision(body: DraftInput): CampaignRevision['draft'] {
  const draft = toCampaignDraft(body);
  return body.coupon_pool_id === undefined ? { ...draft, couponPoolId: undefined } : draft;
}

export function toCampaignDraft(body: DraftInput): CampaignDraft {
  const {
    name,
    channel,
    template_id: templateId,
    subject = null,
    sender_id: senderId,
    audience,
    timing,
    test,
    hold_out_percent: holdOut = 0,
    coupon_pool_id: couponPoolId,
  } = body;
  return {
    name,
    channel,
    templateId: templateId?.toLowerCase() ?? null,
    subject,
    senderId: senderId?.toLowerCase() ?? null,
    audience: audience ? toAudience(audience) : null,
    timing: timing ? toTiming(timing) : null,
    test: test ? toTest(test) : null,
    holdOut,
    couponPoolId: couponPoolId?.toLowerCase() ?? null,
  };
}

function toTest({ variants, percent, decide_by, after, if_unclear }: CampaignTestInput): CampaignTest {
  return { variants: variants.map(toVariant), percent, decideBy: decide_by, after, ifUnclear: if_unclear };
}

/** It has one of the three, as the contract says. */
function toVariant({ subject, template_id, sender_id }: CampaignVariantInput): CampaignVariant {
  if (subject !== undefined) return { subject };
  if (template_id !== undefined) return { templateId: template_id.toLowerCase() };
  return { senderId: (sender_id as string).toLowerCase() };
}

function toAudience({ any, not = [] }: CampaignAudienceInput): CampaignAudience {
  return { any: any.map(toPart), not: not.map(toPart) };
}

/** It has one of the three, as the contract says. */
function toPart({ list, segment, campaign }: CampaignAudiencePartInput): AudiencePart {
  if (list !== undefined) return { kind: 'list', id: list.toLowerCase() };
  if (campaign !== undefined) return { kind: 'campaign', id: campaign.id.toLowerCase(), who: campaign.who };
  return { kind: 'segment', id: (segment as string).toLowerCase() };
}

export function renderCampaign(campaign: Campaign): CampaignBody {
  const { audience } = campaign;
  return {
    id: campaign.id,
    name: campaign.name,
    channel: campaign.channel,
    status: campaign.status,
    reason: campaign.reason,
    revision: campaign.revision,
    template_id: campaign.templateId,
    template_version: campaign.templateVersion,
    subject: campaign.subject,
    sender_id: campaign.senderId,
    class: campaign.class,
    audience: audience && { any: audience.any.map(renderPart), not: audience.not.map(renderPart) },
    timing: campaign.timing && renderTiming(campaign.timing),
    test: campaign.test && renderCampaignTest(campaign.test, campaign.variants),
    hold_out_percent: campaign.holdOut,
    coupon_pool_id: campaign.couponPoolId,
    test_outcome: renderOutcome(campaign),
    recipient_count: campaign.recipients,
    scheduled_at: campaign.scheduledAt?.toISOString() ?? null,
    started_at: campaign.startedAt?.toISOString() ?? null,
    prepared_at: campaign.preparedAt?.toISOString() ?? null,
    finished_at: campaign.finishedAt?.toISOString() ?? null,
    created_at: campaign.createdAt.toISOString(),
    updated_at: campaign.updatedAt.toISOString(),
  };
}

function renderCampaignTest(
  { variants, percent, decideBy, after, ifUnclear }: CampaignTest,
  pinned: Campaign['variants'],
): TestBody {
  const rendered = variants.map((one, i): VariantBody => {
    if ('subject' in one) return { subject: one.subject };
    if ('senderId' in one) return { sender_id: one.senderId };
    const version = pinned?.[i]?.templateVersion;
    return { template_id: one.templateId, ...(version !== undefined && { template_version: version }) };
  });
  return { variants: rendered, percent, decide_by: decideBy, after, if_unclear: ifUnclear };
}

function renderOutcome({ test, startedAt, verdict, winner, testedAt, decidedAt }: Campaign): OutcomeBody | null {
  if (!test || !startedAt) return null;
  return {
    verdict,
    winner,
    tested_at: testedAt?.toISOString() ?? null,
    decided_at: decidedAt?.toISOString() ?? null,
  };
}

function renderPart(part: AudiencePart): CampaignAudiencePart {
  if (part.kind === 'campaign') return { campaign: { id: part.id, who: part.who } };
  return part.kind === 'list' ? { list: part.id } : { segment: part.id };
}

function toTiming({ local_time: localTime, time_zone, past, spread, hours }: CampaignTimingInput): CampaignTiming {
  return {
    localTime: localTime ?? null,
    timeZone: time_zone ?? null,
    past: past ?? 'next_day',
    spread: spread ?? null,
    hours: hours
      ? { from: hours.from, to: hours.to, weekdays: hours.weekdays ?? WEEKDAYS, otherwise: hours.otherwise ?? 'wait' }
      : null,
  };
}

function renderTiming({ localTime, timeZone, past, spread, hours }: CampaignTiming): CampaignTimingBody {
  return {
    local_time: localTime,
    time_zone: timeZone as CampaignTimingBody['time_zone'],
    past,
    spread,
    hours: hours && { ...hours, weekdays: [...hours.weekdays] },
  };
}

export function renderEstimate(estimate: CampaignEstimate): EstimateBody {
  return {
    audience_count: estimate.audience,
    included_count: estimate.included,
    excluded: estimate.excluded.map(({ reason, count }) => ({ reason, count })),
    evaluated_count: estimate.evaluated,
    is_exact: estimate.isExact,
  };
}

export function renderCheck(check: CampaignCheck): CheckBody {
  return {
    is_ready: check.isReady,
    problems: check.problems,
    rendered_count: check.rendered,
    segments_per_message: check.segments,
    estimate: check.estimate && renderEstimate(check.estimate),
    sending_seconds: check.sendingSeconds,
  };
}

export function renderStats(stats: CampaignStats): StatsBody {
  return {
    counted_at: stats.countedAt?.toISOString() ?? null,
    recipient_count: stats.recipients,
    without_time_zone_count: stats.withoutZone,
    unknown_time_zone_count: stats.unknownZone,
    messages: stats.messages,
    opened_count: stats.opened,
    clicked_count: stats.clicked,
    machine_opened_count: stats.machineOpened,
    machine_clicked_count: stats.machineClicked,
    hold_out_count: stats.heldOut,
    hold_out: stats.holdOut && renderHoldOut(stats.holdOut),
    domains: stats.domains.map(({ domain, sent, delivered, bounced, opened, clicked }) => ({
      ...{ domain, sent_count: sent, delivered_count: delivered, bounced_count: bounced },
      ...{ opened_count: opened, clicked_count: clicked },
    })),
    links: stats.links.map(({ templateId, link, url, clicks, machineClicks }) => ({
      ...{ template_id: templateId, number: link, url, click_count: clicks, machine_click_count: machineClicks },
    })),
    variants: stats.variants.map(({ variant, recipients, sent, opened, clicked, ordered }) => ({
      variant,
      recipient_count: recipients,
      sent_count: sent,
      opened_count: opened,
      clicked_count: clicked,
      ordered_count: ordered,
      open_rate: sent === 0 ? null : opened / sent,
      click_rate: sent === 0 ? null : clicked / sent,
      order_rate: sent === 0 ? null : ordered / sent,
    })),
    comparison: stats.comparison && {
      is_clear: stats.comparison.isClear,
      best: stats.comparison.best,
      explanation: stats.comparison.explanation,
    },
    order_count: ordersOf(stats.revenue),
    revenue: stats.revenue.map(renderRevenue),
    why_not: stats.whyNot && renderWhyNot(stats.whyNot),
  };
}

function renderHoldOut({ until, heldOut, others, differences, isClear, explanation }: HoldOut): CampaignHoldOut {
  const group = ({ recipients, customers, orders, revenue }: HoldOutGroup) => ({
    recipient_count: recipients,
    ordered_count: customers,
    order_rate: recipients === 0 ? null : customers / recipients,
    order_count: orders,
    revenue: revenue.map((one) => ({ ...renderRevenue(one), amount_per_recipient: one.perRecipient })),
  });
  return {
    until: until.toISOString(),
    held_out: group(heldOut),
    others: group(others),
    revenue_differences: differences.map(({ currency, perRecipient, interval }) => ({
      currency,
      amount_per_recipient: perRecipient,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      is_clear: interval?.isClear ?? false,
    })),
    is_clear: isClear,
    explanation,
  };
}
