import { sql } from 'kysely';
import { integers, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { type Assigned, assignCodes, type NoCode } from '../../coupons/codes/assign.ts';
import { showsCoupon } from '../../templates/other-subject.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { parkMessages, pauseWithoutCodes } from './campaigns.ts';
import type { ClaimedMessage } from './claim.ts';
import { keepContexts } from './keep-contexts.ts';
import type { ReadReady } from './make-mails.ts';
import type { Ready } from './ready-templates.ts';

/** A message whose recipient is to get a code. */
interface Open {
  message: ClaimedMessage;
  campaignId: string;
  poolId: string;
}

/**
 * Gives the recipients of campaigns a code each, from the pool of the campaign, and keeps it with the message in the same
 * transaction: whoever takes the message once more, as a process has ended meanwhile, finds the same. Where the pool has no
 * code, nothing is sent without: the campaign pauses, and its messages wait until it goes on. Returns those that may be made.
 */
export async function withCoupons(
  db: Sql,
  storeId: string,
  messages: readonly ClaimedMessage[],
  readReady: ReadReady,
): Promise<ClaimedMessage[]> {
  const open: Open[] = [];
  for (const message of messages) {
    const { campaign, context, templateId, templateVersion, subject } = message;
    if (!campaign?.couponPoolId || context.coupon !== undefined) continue;
    const ready = await readReady(templateId, templateVersion);
    if (!ready || !(showsCodes(ready) || showsCoupon(subject))) continue;
    open.push({ message, campaignId: campaign.id, poolId: campaign.couponPoolId });
  }
  if (open.length === 0) return [...messages];
  const given = await retryConflicts(db, () => db.transaction().execute((tx) => give(tx, storeId, open)));
  return messages.flatMap((message) => {
    const found = given.get(message.id);
    return found === null ? [] : [found ?? message];
  });
}

/** Whether the template names a code anywhere, perhaps only where there is one. */
function showsCodes({ compiled }: Ready): boolean {
  return Object.values(compiled.contents).some(({ paths }) => paths.some(({ path }) => path[0] === 'coupon'));
}

/** Null for those that wait. */
async function give(tx: Sql, storeId: string, open: readonly Open[]): Promise<Map<string, ClaimedMessage | null>> {
  const answers = await assignCodes(
    tx,
    storeId,
    open.map(({ message: { id, profileId }, poolId }) => ({ poolId, profileId, runId: null, messageId: id })),
  );
  const given = new Map<string, ClaimedMessage | null>();
  const without: (Open & { why: NoCode })[] = [];
  for (const [i, one] of open.entries()) {
    const answer = answers[i] as Assigned | NoCode;
    if (typeof answer === 'string') without.push({ ...one, why: answer });
    given.set(one.message.id, typeof answer === 'string' ? null : withCode(one.message, answer));
  }
  await keepContexts(
    tx,
    storeId,
    [...given.values()].filter((message) => message !== null),
  );
  await wait(tx, storeId, without);
  return given;
}

function withCode(message: ClaimedMessage, { code, expiresAt }: Assigned): ClaimedMessage {
  const coupon = { code: code.code, pool_id: code.poolId, expires_at: expiresAt?.toISOString() ?? null };
  return { ...message, context: { ...message.context, coupon } };
}

/** Pauses campaigns, and puts those messages aside that nobody else has taken since. */
async function wait(tx: Sql, storeId: string, without: readonly (Open & { why: NoCode })[]): Promise<void> {
  if (without.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    select m.id from message m
    join unnest(
      ${uuids(without.map(({ message }) => message.id))}::uuid[],
      ${integers(without.map(({ message }) => message.claim))}::int[]
    ) as w (id, claim) on w.id = m.id and w.claim = m.claim
    where m.store_id = ${storeId} and m.id = any(${uuids(without.map(({ message }) => message.id))}::uuid[])
      and m.status = 'claimed'
    order by m.id
    for update of m`.execute(tx);
  const held = new Set(rows.map(({ id }) => id));
  const reasons = new Map(without.map(({ campaignId, why }) => [campaignId, why]));
  for (const id of [...reasons.keys()].sort()) {
    await pauseWithoutCodes(tx, storeId, id, reasons.get(id) === 'empty' ? 'coupon_pool_empty' : 'coupon_pool_expired');
  }
  const parked = without.filter(({ message }) => held.has(message.id));
  await parkMessages(
    tx,
    storeId,
    parked.map(({ message: { id }, campaignId }) => ({ id, source: 'campaign' as const, sourceId: campaignId })),
  );
}
