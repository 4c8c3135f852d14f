import { parsed, UnloadedJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { findPool } from '../coupons/pools/pools.ts';
import { type AddressDigest, openAddressDigest } from '../messages/core/address-digest.ts';
import { capsOf } from '../messages/core/caps.ts';
import { readShortStandings } from '../messages/core/standings.ts';
import type { ClaimedMessage } from '../messages/sending/claim.ts';
import { type MakingTools, makeMails } from '../messages/sending/make-mails.ts';
import type { Outcome } from '../messages/sending/outcome.ts';
import type { Ready, ReadyTemplates } from '../messages/sending/ready-templates.ts';
import { readSenderSettings, type SenderSettings } from '../messages/sending/sender-settings.ts';
import { readMessageSettings } from '../senders/message-settings.ts';
import type { Sender } from '../senders/sender.ts';
import type { SenderTools } from '../senders/tools.ts';
import { clip, fieldOf, ServiceError } from '../service-error.ts';
import type { WithConnection } from '../store-connections.ts';
import { readStoreSettings } from '../store-settings.ts';
import { EXAMPLE_COUPON } from '../templates/preview-data.ts';
import type { Sendable } from '../templates/sendable.ts';
import type { Campaign, PinnedVariant } from './campaign.ts';
import { type CampaignEstimate, type Estimated, estimateCampaign, inTime } from './estimate.ts';
import { findCampaign } from './find-campaigns.ts';
import { type Lack, lookAt } from './readiness.ts';
import { sendingSeconds } from './sending-time.ts';
import { beginOfLocal, type CampaignTiming, timingOf } from './timing.ts';

/** Customers to whom messages are made, at most; as many at a time, and milliseconds for all of them. */
const [MAX_MADE, CHUNK, MAKE_MS] = [200, 20, 2_500];
/** Where the links of such messages lead: nobody gets one. */
const NOWHERE = 'https://preview.invalid';

export interface CampaignProblem {
  severity: 'error' | 'warning';
  code: Lack['code'] | 'timing' | 'no_unsubscribe_link' | 'no_recipients' | 'few_coupon_codes' | 'not_rendered';
  message: string;
  field: string | null;
}

export interface CampaignCheck {
  isReady: boolean;
  /** Errors first. */
  problems: CampaignProblem[];
  /** Messages that were made. */
  rendered: number;
  /** Of the text messages among them; null if there are none. */
  segments: { average: number; most: number } | null;
  /** Null where the audience can't be told. */
  estimate: CampaignEstimate | null;
  /** Null where that can't be told, either. */
  sendingSeconds: number | null;
}

/** What makes messages, and gives what that takes no share of the time for the database. */
export interface CheckTools {
  making: MakingTools;
  templates: Pick<ReadyTemplates, 'read'>;
  senders: Pick<SenderTools, 'secrets' | 'shared' | 'twilioUrl' | 'hookTokens'>;
  apart: <Result>(work: Promise<Result>) => Promise<Result>;
}

interface Looked {
  campaign: Campaign;
  /** As it would be scheduled. */
  timing: CampaignTiming | null;
  /** When it would begin, in milliseconds; undefined if it can't any more. */
  begin: number | undefined;
  template: Sendable | undefined;
  sender: Sender | undefined;
  problems: CampaignProblem[];
  estimate: Estimated | undefined;
  /** Of each variant, or of the one that everybody gets. */
  looks: Look[];
}

/** What messages are made with, and some of them. */
interface Look {
  /** By which problems name the template. */
  field: string;
  ready: Ready | undefined;
  settings: SenderSettings | undefined;
  messages: ClaimedMessage[];
}

/**
 * Looks at all that a campaign needs, and makes messages to some of its recipients by what makes those that are sent. Undefined
 * if the store has no such campaign.
 */
export async function checkCampaign(
  writing: WithConnection,
  storeId: string,
  id: string,
  tools: CheckTools,
): Promise<CampaignCheck | undefined> {
  const looked = await writing(storeId, async (db, shared) => {
    const digestOf = await openAddressDigest(shared);
    return await db.transaction().execute((tx) => look(tx, shared, storeId, id, digestOf, tools));
  });
  if (!looked) return undefined;
  const { problems, estimate } = looked;
  const rendered = await make(looked.looks, tools);
  const found = [...problems, ...unsubscribing(looked), ...rendered.problems];
  const errors = found.filter(({ severity }) => severity === 'error');
  return {
    isReady: errors.length === 0,
    problems: [...errors, ...found.filter(({ severity }) => severity === 'warning')],
    rendered: rendered.count,
    segments: segmentsPerMessage(rendered.segments),
    estimate: estimate ?? null,
    sendingSeconds: secondsOf(looked),
  };
}

async function look(
  tx: Sql,
  shared: Sql,
  storeId: string,
  id: string,
  digestOf: AddressDigest,
  { senders, templates }: CheckTools,
): Promise<Looked | undefined> {
  const campaign = await findCampaign(tx, storeId, id);
  if (!campaign) return undefined;
  const { template, sender, variants, lacks } = await lookAt(tx, storeId, campaign);
  const timing = await timingOnceScheduled(shared, storeId, campaign, template);
  const problems = lacks.map(({ code, error }) => problemOf(code, error));
  const begin = beginNow(campaign);
  if (begin instanceof ServiceError) problems.push(problemOf('timing', begin));
  const isKnown = !lacks.some(({ code }) => code === 'audience');
  const estimate = isKnown ? await estimateCampaign(tx, storeId, campaign, digestOf) : undefined;
  if (estimate?.included === 0) {
    const message = 'Nobody would be sent it: the estimate says why';
    problems.push({ severity: 'warning', code: 'no_recipients', message, field: 'audience' });
  }
  const few = estimate && (await fewCodes(tx, storeId, campaign, estimate.included));
  if (few) problems.push(few);
  const canBegin = !(begin instanceof ServiceError);
  const looked = { campaign, timing, begin: canBegin ? begin : undefined, template, sender, problems, estimate };
  if (!template || !sender) return { ...looked, looks: [] };
  const own = {
    subject: campaign.subject,
    templateId: campaign.templateId as string,
    templateVersion: template.number,
    senderId: sender.id,
  };
  const ways = variants ?? [own];
  // They were drawn at random.
  const ids = (estimate?.includedIds ?? []).slice(0, MAX_MADE);
  const looks: Look[] = [];
  await inTime(tx, async () => {
    for (const [i, way] of ways.entries()) {
      const some = ids.filter((_, n) => n % ways.length === i);
      looks.push({
        field: way.templateId === campaign.templateId ? 'template_id' : `test.variants[${i}].template_id`,
        ready: await templates.read(tx, storeId, way.templateId, way.templateVersion),
        settings:
          estimate && (await readSenderSettings(tx, shared, storeId, way.senderId, { ...senders, publicUrl: NOWHERE })),
        messages: await messagesTo(tx, storeId, campaign, template, way, some, digestOf),
      });
    }
  });
  return { ...looked, looks };
}

function problemOf(code: CampaignProblem['code'], { message, violations: [violation] }: ServiceError): CampaignProblem {
  return { severity: 'error', code, message, field: violation ? fieldOf(violation.path) : null };
}

async function timingOnceScheduled(
  shared: Sql,
  storeId: string,
  campaign: Campaign,
  template: Sendable | undefined,
): Promise<CampaignTiming | null> {
  if (!template || campaign.scheduledAt) return campaign.timing;
  const { timeZone } = await readStoreSettings(shared, storeId);
  return timingOf(campaign, template.class, timeZone);
}

/** When it would begin that was scheduled now, in milliseconds; or why it can't. */
function beginNow({ timing, scheduledAt }: Campaign): number | ServiceError {
  if (scheduledAt) return scheduledAt.getTime();
  try {
    return timing?.localTime ? beginOfLocal(timing, Date.now()).getTime() : Date.now();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** Those who have a code of the pool already need no other, which is not counted. */
async function fewCodes(
  tx: Sql,
  storeId: string,
  { couponPoolId }: Campaign,
  recipients: number,
): Promise<CampaignProblem | undefined> {
  const pool = couponPoolId === null ? undefined : await findPool(tx, storeId, couponPoolId);
  if (!pool) return undefined;
  const { assigned = 0, used = 0, void: ended = 0 } = pool.counts;
  const free = pool.codes - assigned - used - ended;
  if (free >= recipients) return undefined;
  const message = `The pool has ${free} free codes for about ${recipients} recipients: once it is empty, the campaign pauses`;
  return { severity: 'warning', code: 'few_coupon_codes', message, field: 'coupon_pool_id' };
}

/** As they would be claimed; none to customers of whom more is stored than can be read beside requests. */
async function messagesTo(
  tx: Sql,
  storeId: string,
  { id, name, channel, subject: ofAll, couponPoolId }: Campaign,
  { class: messageClass }: Sendable,
  { subject, templateId, templateVersion }: PinnedVariant,
  profileIds: readonly string[],
  digestOf: AddressDigest,
): Promise<ClaimedMessage[]> {
  const asked = profileIds.map((profileId) => ({ id: newId(), profileId, channel, class: messageClass }));
  const caps = capsOf(await readMessageSettings(tx, storeId));
  const standings = await readShortStandings(tx, storeId, asked, caps, digestOf);
  return asked.flatMap((one): ClaimedMessage[] => {
    const { address, profile } = standings.of(one);
    if (profile?.attributes instanceof UnloadedJson) return [];
    const message = {
      ...one,
      templateId,
      templateVersion,
      subject: subject ?? ofAll,
      context: { data: {}, event: null, ...(couponPoolId !== null && { coupon: EXAMPLE_COUPON }) },
      campaign: { id, name, couponPoolId },
      attempt: 0,
      claim: 0,
      expiresAt: null,
      createdAt: Date.now(),
      address: address ?? '',
      profile,
      segments: null,
    };
    return [message];
  });
}

/** Some at a time, as many as there is time for: messages may be large. Of each variant there are some. */
async function make(
  looks: readonly Look[],
  { making, apart }: CheckTools,
): Promise<{ count: number; segments: number[]; problems: CampaignProblem[] }> {
  const until = performance.now() + MAKE_MS;
  const problems: CampaignProblem[] = [];
  const segments: number[] = [];
  let count = 0;
  for (const { field, ready, settings, messages } of looks) {
    if (!settings) continue;
    // A signature takes as long as all the rest, and makes no difference.
    const origin = { ...settings.origin, sign: undefined, keeps: false };
    const failures: Outcome[] = [];
    let made = 0;
    while (made < messages.length && (made === 0 || performance.now() < until)) {
      const chunk = messages.slice(made, made + CHUNK);
      const mails = await apart(makeMails(async () => ready, chunk, origin, making));
      failures.push(...mails.flatMap((one) => ('outcome' in one ? one.outcome : [])));
      segments.push(...mails.flatMap((one) => ('mail' in one ? (one.message.segments ?? []) : [])));
      made += chunk.length;
    }
    count += made;
    problems.push(...notMade(failures, made, field));
  }
  return { count, segments, problems };
}

function segmentsPerMessage(all: readonly number[]): CampaignCheck['segments'] {
  if (all.length === 0) return null;
  const sum = all.reduce((total, one) => total + one, 0);
  return { average: Math.round((sum / all.length) * 100) / 100, most: Math.max(...all) };
}

function notMade(failures: readonly Outcome[], made: number, field: string): CampaignProblem[] {
  const [first] = failures;
  if (!first) return [];
  const why = first.response === null ? first.reason : `${first.reason} (${first.response})`;
  const message = clip(`${failures.length} of ${made} messages could not be made: ${why}`, 1000);
  return [{ severity: 'warning', code: 'not_rendered', message, field }];
}

/** Text messages may name a word to answer in its place, which nobody can tell. */
function unsubscribing({ campaign: { channel }, template, looks }: Looked): CampaignProblem[] {
  if (template?.class !== 'marketing') return [];
  const message = 'The template has no link to unsubscribe_url';
  const severity = channel === 'email' ? 'error' : 'warning';
  const fields = new Set(looks.flatMap(({ ready, field }) => (ready && !hasLink(ready) ? field : [])));
  return [...fields].map((field) => ({ severity, code: 'no_unsubscribe_link', message, field }));
}

function hasLink({ compiled }: Ready): boolean {
  return Object.values(compiled.contents).every(({ paths }) => paths.some(({ path }) => path[0] === 'unsubscribe_url'));
}

function secondsOf({ timing, begin, estimate, sender, looks }: Looked): number | null {
  if (!estimate || !sender || begin === undefined) return null;
  const attributes = looks.flatMap(({ messages }) =>
    messages.flatMap(({ profile }) => (profile ? parsed(profile.attributes) : [])),
  );
  return sendingSeconds(timing, begin, estimate.included, sender, attributes);
}
