import type { Sql } from '../../db/sql.ts';
import { findPool } from '../coupons/pools/pools.ts';
import { chosenSender } from '../senders/chosen-sender.ts';
import { readMessageSettings } from '../senders/message-settings.ts';
import type { Sender } from '../senders/sender.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { readVersions } from '../templates/named-templates.ts';
import { showsCoupon } from '../templates/other-subject.ts';
import { expectSendable, type Sendable } from '../templates/sendable.ts';
import { expectAudience } from './audience.ts';
import type { Campaign, PinnedVariant } from './campaign.ts';
import { pinVariant } from './variants/pin-variant.ts';

/** What a campaign is sent with. */
export interface Ready {
  template: Sendable;
  sender: Sender;
  /** Null where everybody gets the same. */
  variants: readonly PinnedVariant[] | null;
}

/** The same, as far as it is there, and what is not. */
export interface Looked {
  template: Sendable | undefined;
  sender: Sender | undefined;
  /** Null where everybody gets the same; otherwise those that are well. */
  variants: readonly PinnedVariant[] | null;
  lacks: Lack[];
}

/** Something that a campaign lacks. */
export interface Lack {
  code: 'template' | 'sender' | 'audience' | 'coupon_pool' | 'no_postal_address';
  error: ServiceError;
}

type Of = Pick<
  Campaign,
  | 'channel'
  | 'templateId'
  | 'templateVersion'
  | 'subject'
  | 'senderId'
  | 'audience'
  | 'test'
  | 'variants'
  | 'couponPoolId'
>;

/** Returns what a campaign would be sent with, as far as it is there, and all that it lacks. */
export async function lookAt(
  tx: Sql,
  storeId: string,
  { channel, templateId, templateVersion, subject, senderId, audience, test, variants: pinned, couponPoolId }: Of,
): Promise<Looked> {
  const lacks: Lack[] = [];
  const attempt = async <Found>(code: Lack['code'], find: () => Promise<Found>): Promise<Found | undefined> => {
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'validation_error') throw error;
      lacks.push({ code, error });
      return undefined;
    }
  };
  const template = await attempt('template', async () => {
    if (templateId === null) throw invalid({ path: ['template_id'], problem: 'must be chosen before' });
    const wasChosen = templateVersion !== null;
    return await expectSendable(tx, storeId, templateId, templateVersion ?? undefined, channel, { wasChosen });
  });
  const toSend = { channel, class: template?.class ?? 'marketing' };
  const sender = await attempt('sender', () => chosenSender(tx, storeId, senderId ?? undefined, toSend));
  const variants: PinnedVariant[] = [];
  if (test && template && sender) {
    const { number } = template;
    const base = { ...toSend, templateId: templateId as string, templateVersion: number, senderId: sender.id };
    for (const [i, variant] of test.variants.entries()) {
      const code = 'senderId' in variant ? 'sender' : 'template';
      const found = await attempt(code, () => pinVariant(tx, storeId, base, variant, i, pinned?.[i]));
      if (found) variants.push(found);
    }
  }
  const subjects = [subject, ...variants.map((variant) => variant.subject)];
  if (template) {
    await attempt('coupon_pool', () => expectCoupons(tx, storeId, couponPoolId, { template, variants, subjects }));
  }
  await attempt('audience', () => expectAudience(tx, storeId, audience, { isAsked: true }));
  if (channel === 'email' && toSend.class === 'marketing') {
    const { postalAddress } = await readMessageSettings(tx, storeId);
    if (postalAddress === null) {
      const message = 'The store has no postal address, which marketing must have; the message settings have it';
      lacks.push({ code: 'no_postal_address', error: new ServiceError('validation_error', message) });
    }
  }
  return { template, sender, variants: test && variants, lacks };
}

/** Throws `validation_error` where a template or a subject needs a code that nobody is given, and for a pool that gives out none. */
async function expectCoupons(
  tx: Sql,
  storeId: string,
  poolId: string | null,
  sent: { template: Sendable; variants: readonly PinnedVariant[]; subjects: readonly (string | null)[] },
): Promise<void> {
  const refuse = (problem: string) => invalid({ path: ['coupon_pool_id'], problem });
  if (poolId === null) {
    const versions = await readVersions(tx, storeId, sent.variants);
    const needsOne = [sent.template, ...versions.values()].some(({ reads }) => reads.includes('coupon'));
    if (needsOne) throw refuse('must be chosen before: the template shows a coupon code');
    if (sent.subjects.some(showsCoupon)) throw refuse('must be chosen before: a subject shows a coupon code');
    return;
  }
  const pool = await findPool(tx, storeId, poolId);
  if (!pool) throw refuse('is not the id of a coupon pool');
  if (pool.expiresAt && pool.expiresAt.getTime() <= Date.now()) throw refuse('is that of a pool which has expired');
}

/** Throws `validation_error` for the first thing that a campaign lacks. */
export async function expectReady(tx: Sql, storeId: string, campaign: Of): Promise<Ready> {
  const { template, sender, variants, lacks } = await lookAt(tx, storeId, campaign);
  const [first] = lacks;
  if (first) throw first.error;
  return { template: template as Sendable, sender: sender as Sender, variants };
}
