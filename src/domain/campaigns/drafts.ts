import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import { findPool } from '../coupons/pools/pools.ts';
import { expectScopes } from '../expect-scopes.ts';
import { always, type Once } from '../kept-answers.ts';
import { findSender } from '../senders/find-senders.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { readTemplates } from '../templates/named-templates.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { expectAudience, expectScopesOfAudience, idsNamed } from './audience.ts';
import type { Campaign, CampaignDraft } from './campaign.ts';
import { findCampaign, lockCampaign } from './find-campaigns.ts';
import { expectTiming } from './timing.ts';
import { expectSubject, expectTest } from './variants/definition.ts';

/** Campaigns of one store. */
const MAX_CAMPAIGNS = 1_000;
/** Characters of a name. */
const MAX_NAME = 100;

/** Creates a draft. Throws `validation_error` for what the store does not have, and `forbidden` as its audience says. */
export async function createCampaign(
  db: Sql,
  caller: Caller,
  draft: CampaignDraft,
  once: Once<Campaign> = always,
): Promise<Campaign> {
  expectScopesOfDraft(caller, draft);
  const { storeId } = caller;
  return await retryConflicts(db, () =>
    db.transaction().execute((tx) =>
      once(tx, async () => {
        await expectPossible(tx, storeId, draft);
        return await insertDraft(tx, storeId, draft);
      }),
    ),
  );
}

/** Creates a draft with what a campaign says. Undefined if the store has no such campaign. */
export async function copyCampaign(
  db: Sql,
  caller: Caller,
  id: string,
  once: Once<Campaign | undefined> = always,
): Promise<Campaign | undefined> {
  const { storeId } = caller;
  const copy = async (tx: Sql) => {
    const campaign = await findCampaign(tx, storeId, id);
    if (!campaign) return undefined;
    expectScopesOfDraft(caller, campaign);
    return await insertDraft(tx, storeId, { ...campaign, name: nameOfCopy(campaign.name) });
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => copy(tx))));
}

/** A code is worth money: who gives them out could give them away. */
function expectScopesOfDraft(caller: Caller, { audience, couponPoolId }: CampaignDraft): void {
  expectScopesOfAudience(caller, audience);
  if (couponPoolId !== null) expectScopes(caller, ['catalog:write'], 'giving out coupon codes needs');
}

function nameOfCopy(name: string): string {
  const ending = ' (copy)';
  return (
    [...name]
      .slice(0, MAX_NAME - ending.length)
      .join('')
      .toWellFormed() + ending
  );
}

async function insertDraft(tx: Sql, storeId: string, draft: CampaignDraft): Promise<Campaign> {
  // One after the other: they are counted.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`footfall.campaigns ${storeId}`}, 0))`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from campaign where store_id = ${storeId}`.execute(tx);
  if ((rows[0]?.count ?? 0) >= MAX_CAMPAIGNS) {
    throw new ServiceError('validation_error', 'The store already has 1,000 campaigns; delete one that is over first');
  }
  const id = newId();
  const { name, channel, templateId, subject, senderId, audience, timing, test, holdOut, couponPoolId } = draft;
  await sql`
    insert into campaign (store_id, id, name, channel, template_id, subject, sender_id, audience, list_ids, segment_ids,
      campaign_ids, timing, test, hold_out, coupon_pool_id, revision, status, created_at, updated_at)
    values (${storeId}, ${id}, ${name}, ${channel}, ${templateId}, ${subject}, ${senderId},
      ${audience === null ? null : JSON.stringify(audience)}::json, ${uuids(idsNamed(audience, 'list'))}::uuid[],
      ${uuids(idsNamed(audience, 'segment'))}::uuid[], ${uuids(idsNamed(audience, 'campaign'))}::uuid[],
      ${timing === null ? null : JSON.stringify(timing)}::json,
      ${test === null ? null : JSON.stringify(test)}::json, ${holdOut}, ${couponPoolId}, 1, 'draft', now(), now())`.execute(
    tx,
  );
  return (await findCampaign(tx, storeId, id)) as Campaign;
}

export interface CampaignRevision {
  id: string;
  /** That of the draft which is replaced. */
  revision: number;
  /** Without a pool of coupons, that of before stays. */
  draft: Omit<CampaignDraft, 'couponPoolId'> & { couponPoolId: string | null | undefined };
}

/**
 * Replaces a draft; one that is so already, at the next revision, stays. Undefined if the store has no such campaign; throws
 * `validation_error` if somebody else has changed it, or it is no draft any more, and as above.
 */
export async function reviseCampaign(
  db: Sql,
  caller: Caller,
  { id, revision, draft: asked }: CampaignRevision,
): Promise<Campaign | undefined> {
  expectScopesOfDraft(caller, { ...asked, couponPoolId: asked.couponPoolId ?? null });
  const { storeId } = caller;
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const campaign = await lockCampaign(tx, storeId, id);
      if (!campaign) return undefined;
      const draft = {
        ...asked,
        couponPoolId: asked.couponPoolId === undefined ? campaign.couponPoolId : asked.couponPoolId,
      };
      if (campaign.couponPoolId !== null) expectScopesOfDraft(caller, campaign);
      // A retry of what was done already.
      if (campaign.revision === revision + 1 && isSame(campaign, draft)) return campaign;
      if (campaign.status !== 'draft') {
        throw new ServiceError('validation_error', `Only a draft can be changed: the campaign is ${campaign.status}`);
      }
      if (campaign.revision !== revision) throw staleRevision();
      await expectPossible(tx, storeId, draft);
      const { name, channel, templateId, subject, senderId, audience, timing, test, holdOut, couponPoolId } = draft;
      await sql`
        update campaign
        set name = ${name}, channel = ${channel}, template_id = ${templateId}, subject = ${subject},
          sender_id = ${senderId},
          audience = ${audience === null ? null : JSON.stringify(audience)}::json,
          list_ids = ${uuids(idsNamed(audience, 'list'))}::uuid[],
          segment_ids = ${uuids(idsNamed(audience, 'segment'))}::uuid[],
          campaign_ids = ${uuids(idsNamed(audience, 'campaign'))}::uuid[],
          timing = ${timing === null ? null : JSON.stringify(timing)}::json,
          test = ${test === null ? null : JSON.stringify(test)}::json, hold_out = ${holdOut}, coupon_pool_id = ${couponPoolId},
          revision = revision + 1, updated_at = now()
        where store_id = ${storeId} and id = ${id}`.execute(tx);
      return await findCampaign(tx, storeId, id);
    }),
  );
}

function isSame(one: CampaignDraft, other: CampaignDraft): boolean {
  const text = ({
    name,
    channel,
    templateId,
    subject,
    senderId,
    audience,
    timing,
    test,
    holdOut,
    couponPoolId,
  }: CampaignDraft) =>
    JSON.stringify([
      name,
      channel,
      templateId,
      subject,
      senderId,
      audience?.any,
      audience?.not,
      timing,
      test,
      holdOut,
      couponPoolId,
    ]);
  return text(one) === text(other);
}

export function staleRevision(): ServiceError {
  return invalid({ path: ['revision'], problem: 'is not the current one; the campaign has been changed since' });
}

/** Whether it is right for the campaign is found out when it is checked. */
async function expectPossible(
  tx: Sql,
  storeId: string,
  { channel, templateId, subject, senderId, audience, timing, test, couponPoolId }: CampaignDraft,
): Promise<void> {
  if (timing) expectTiming(timing);
  if (templateId !== null && !(await readTemplates(tx, storeId, [templateId])).has(templateId)) {
    throw invalid({ path: ['template_id'], problem: 'is not the id of a template' });
  }
  if (subject !== null) expectSubject(subject, channel, ['subject']);
  if (senderId !== null && !(await findSender(tx, storeId, senderId))) {
    throw invalid({ path: ['sender_id'], problem: 'is not the id of a sender' });
  }
  if (couponPoolId !== null && !(await findPool(tx, storeId, couponPoolId))) {
    throw invalid({ path: ['coupon_pool_id'], problem: 'is not the id of a coupon pool' });
  }
  await expectAudience(tx, storeId, audience, { isAsked: false });
  await expectTest(tx, storeId, { test, channel, timing });
}
