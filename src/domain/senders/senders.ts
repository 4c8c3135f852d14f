import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { expectNoAutomationSendsBy } from '../automations/stored/unnamed.ts';
import { expectNoCampaignSendsBy } from '../campaigns/stored/named.ts';
import { always, type Once } from '../kept-answers.ts';
import { invalid, overloaded, ServiceError } from '../service-error.ts';
import type { WithConnection } from '../store-connections.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { type DkimKey, placeOfDkimKey } from './dkim-keys.ts';
import { findSealed, findSender, outboxOf, type SenderWithSealed } from './find-senders.ts';
import { expectEndpoint } from './receiver.ts';
import { type CheckedRelay, placeOfPassword } from './relay.ts';
import type { Sender, SenderKind } from './sender.ts';
import { checkInput, type SenderInput } from './sender-row.ts';
import type { SenderTools } from './tools.ts';
import { keepSigningToken, sealedLogin } from './twilio/account.ts';
import { SENT_TODAY, WARM_UP_DAYS } from './warm-up.ts';

/** Senders of a store that are not deleted, beside its outbox. */
const MAX_SENDERS = 20;

/** Creates a sender. Throws `validation_error` for what it can't be, or if the store has too many. */
export async function createSender(
  writing: WithConnection,
  storeId: string,
  kind: Exclude<SenderKind, 'outbox'>,
  input: SenderInput,
  tools: SenderTools,
  once: Once<Sender> = always,
): Promise<Sender> {
  const { relay, twilio, row } = checkInput(kind, input, tools);
  const key = input.signsDkim ? await tools.dkimKeys.draw(storeId) : undefined;
  const create = async (tx: Sql) => {
    await outboxOf(tx, storeId);
    await expectRoom(tx, storeId);
    // After that of the outbox, which comes last in lists.
    const id = newId();
    const password = twilio
      ? sealedLogin(storeId, id, twilio, input.settings ?? {}, undefined, tools.secrets)
      : sealPassword(storeId, id, input.settings?.password, tools);
    if (relay?.isShared) await expectNoOtherShared(tx, storeId, id);
    if (row.endpointId !== null) await expectEndpoint(tx, storeId, row.endpointId);
    const sent = relay?.isShared ? await sentByShared(tx, storeId) : 0;
    await sql`
      insert into sender
        (store_id, id, kind, name, from_email, from_name, reply_to, class, is_shared, host, port, security, user_name, password,
          endpoint_id, account_sid, api_key_sid, text_from, messaging_service_sid, feedback_provider,
          dkim_selector, dkim_key, dkim_public_key, max_per_second, max_per_day, max_concurrent,
          warm_up_first, warm_up_target,
          day, sent_today, created_at, updated_at)
      values (${storeId}, ${id}, ${kind}, ${row.name}, ${row.fromEmail}, ${row.fromName}, ${row.replyTo}, ${row.class},
        ${row.isShared}, ${row.host}, ${row.port}, ${row.security}, ${row.user}, ${password}, ${row.endpointId},
        ${row.accountSid}, ${row.apiKeySid}, ${row.textFrom}, ${row.messagingServiceSid}, ${twilio ? 'twilio' : null},
        ${row.dkimSelector}, ${key ? sealKey(storeId, id, key, tools) : null}, ${key?.publicKey ?? null},
        ${row.maxPerSecond}, ${row.maxPerDay}, ${row.maxConcurrent}, ${row.warmUpFirst}, ${row.warmUpTarget}, current_date, ${sent}, now(), now())`.execute(
      tx,
    );
    if (twilio) await keepSigningToken(tx, storeId, id, input.settings ?? {}, false, tools.secrets);
    return (await findSender(tx, storeId, id)) as Sender;
  };
  return await writing(storeId, (db) =>
    retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => create(tx)))),
  );
}

/**
 * Replaces all of a sender but its kind; it keeps its DKIM key as long as that has the same name. What was found of it before counts no more. Undefined if the store has no such
 * sender. Throws `validation_error` as above, and if it is deleted.
 */
export async function updateSender(
  writing: WithConnection,
  storeId: string,
  id: string,
  input: SenderInput,
  tools: SenderTools,
): Promise<Sender | undefined> {
  const needsKey = await writing(storeId, async (db) =>
    needsNewKey((await findSealed(db, storeId, id))?.sender, input),
  );
  const key = needsKey ? await tools.dkimKeys.draw(storeId) : undefined;
  const update = async (tx: Sql) => {
    const found = await findSealed(tx, storeId, id, sql`for update`);
    if (!found) return undefined;
    if (found.sender.deletedAt) throw deletedSender();
    const { relay, twilio, row: checked } = checkInput(found.sender.kind, input, tools);
    if (relay?.isShared) await expectNoOtherShared(tx, storeId, id);
    if (checked.endpointId !== null) await expectEndpoint(tx, storeId, checked.endpointId);
    const sent = relay?.isShared ? await sentByShared(tx, storeId) : 0;
    const password = twilio
      ? sealedLogin(storeId, id, twilio, input.settings ?? {}, { ...found.sender, ...found }, tools.secrets)
      : passwordOf(storeId, found, input, relay, tools);
    const row = { ...checked, password };
    const dkim = dkimOf(storeId, found, input, key, tools);
    await sql`
      update sender s
      set name = ${row.name}, from_email = ${row.fromEmail}, from_name = ${row.fromName}, reply_to = ${row.replyTo},
        class = ${row.class}, is_shared = ${row.isShared}, host = ${row.host}, port = ${row.port},
        security = ${row.security}, user_name = ${row.user}, password = ${row.password},
        endpoint_id = ${row.endpointId}, account_sid = ${row.accountSid}, api_key_sid = ${row.apiKeySid},
        text_from = ${row.textFrom}, messaging_service_sid = ${row.messagingServiceSid}, dkim_selector = ${row.dkimSelector}, dkim_key = ${dkim.sealed}, dkim_public_key = ${dkim.publicKey}, max_per_second = ${row.maxPerSecond}, max_per_day = ${row.maxPerDay},
        max_concurrent = ${row.maxConcurrent}, warm_up_first = ${row.warmUpFirst}, warm_up_target = ${row.warmUpTarget},
        -- It goes on where it is, and begins anew where it did not warm up.
        warm_up_days = case when ${row.warmUpFirst === null} or s.warm_up_first is null then 0 else ${WARM_UP_DAYS} end,
        checks = null, checked_at = null, failures = 0, resting_until = null,
        day = current_date, sent_today = greatest(${SENT_TODAY}, ${sent}::int),
        updated_at = now()
      where store_id = ${storeId} and id = ${id}`.execute(tx);
    if (twilio) {
      const isOther = found.sender.twilio?.accountSid !== twilio.accountSid;
      await keepSigningToken(tx, storeId, id, input.settings ?? {}, isOther, tools.secrets);
    }
    return await findSender(tx, storeId, id);
  };
  return await writing(storeId, (db) => retryConflicts(db, () => db.transaction().execute(update)));
}

/**
 * Deletes a sender for good; it stays in lists, without its secrets. One that is deleted already stays as it is. Undefined
 * if the store has no such sender. Throws `validation_error` for the outbox, for the default sender, for one by which
 * automations send, or campaigns that have not found all their recipients, and, unless `failsWaiting`, while messages wait for it.
 */
export async function deleteSender(
  db: Sql,
  storeId: string,
  id: string,
  { failsWaiting }: { failsWaiting: boolean },
): Promise<Sender | undefined> {
  const remove = async (tx: Sql) => {
    const found = await findSealed(tx, storeId, id, sql`for update`);
    if (!found || found.sender.deletedAt) return found?.sender;
    if (found.sender.kind === 'outbox') throw new ServiceError('validation_error', "The outbox can't be deleted");
    const { rows } = await sql`
      select from message_settings where store_id = ${storeId} and ${id} in (default_sender_id, default_sms_sender_id)`.execute(
      tx,
    );
    if (rows.length > 0) {
      throw new ServiceError('validation_error', 'It is the default sender of the store; choose another one first');
    }
    await expectNoAutomationSendsBy(tx, storeId, id);
    await expectNoCampaignSendsBy(tx, storeId, id);
    if (!failsWaiting) await expectNoneWaiting(tx, storeId, id);
    await sql`
      update sender
      set deleted_at = now(), updated_at = now(), password = null, dkim_key = null, dkim_public_key = null,
        feedback_secret = null, feedback_key = null,
        resting_until = null
      where store_id = ${storeId} and id = ${id}`.execute(tx);
    return await findSender(tx, storeId, id);
  };
  return await retryConflicts(db, () => db.transaction().execute(remove));
}

/** Messages that are counted. */
const MOST_COUNTED = 1_000;

async function expectNoneWaiting(tx: Sql, storeId: string, id: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from message
      where store_id = ${storeId} and sender_id = ${id} and due_at is not null
      limit ${MOST_COUNTED + 1}
    ) waiting`.execute(tx);
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  const many =
    count > MOST_COUNTED
      ? `More than ${MOST_COUNTED} messages wait`
      : count === 1
        ? '1 message waits'
        : `${count} messages wait`;
  throw invalid({ path: ['fail_waiting'], problem: `must be true for them to fail: ${many} to be sent by the sender` });
}

export function deletedSender(): ServiceError {
  return new ServiceError('validation_error', 'The sender is deleted');
}

/** Several at the same time may be one too many, which does no harm. */
async function expectRoom(tx: Sql, storeId: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sender
    where store_id = ${storeId} and kind <> 'outbox' and deleted_at is null`.execute(tx);
  if ((rows[0]?.count ?? 0) < MAX_SENDERS) return;
  throw new ServiceError('validation_error', `The store already has ${MAX_SENDERS} senders; delete one first`);
}

/** All that a store sends by the shared server counts together. */
async function expectNoOtherShared(tx: Sql, storeId: string, id: string): Promise<void> {
  const { rows } = await sql`
    select from sender
    where store_id = ${storeId} and is_shared and deleted_at is null and id <> ${id}`.execute(tx);
  if (rows.length > 0) {
    throw invalid({ path: ['settings', 'shared'], problem: 'is true for another sender of the store already' });
  }
}

/**
 * What the store has sent by the shared server today, whichever sender that was: of one that was changed today, nobody knows
 * any more whether it was by that.
 */
async function sentByShared(tx: Sql, storeId: string): Promise<number> {
  const { rows } = await sql<{ sent: number }>`
    select coalesce(max(sent_today), 0)::int as sent from sender
    where store_id = ${storeId} and kind = 'smtp' and day = current_date
      and (is_shared or updated_at >= current_date)`.execute(tx);
  return rows[0]?.sent ?? 0;
}

/** A key is published under one name: under another one, there is another key. */
function needsNewKey(sender: Sender | undefined, { signsDkim, dkimSelector }: SenderInput): boolean {
  if (sender?.kind !== 'smtp' || !signsDkim || dkimSelector === null) return false;
  return sender.dkimPublicKey === null || sender.dkimSelector !== dkimSelector;
}

/** `drawn` is a key for it, if it needed a new one when it was looked at. */
function dkimOf(
  storeId: string,
  { sender, sealedDkimKey }: SenderWithSealed,
  input: SenderInput,
  drawn: DkimKey | undefined,
  tools: SenderTools,
): { sealed: string | null; publicKey: string | null } {
  if (!input.signsDkim) return { sealed: null, publicKey: null };
  if (!needsNewKey(sender, input)) return { sealed: sealedDkimKey, publicKey: sender.dkimPublicKey };
  if (!drawn) throw overloaded('The sender is being changed; try again later');
  return { sealed: sealKey(storeId, sender.id, drawn, tools), publicKey: drawn.publicKey };
}

function sealKey(storeId: string, id: string, { privateKey }: DkimKey, { secrets }: SenderTools): string {
  return secrets.seal(privateKey, placeOfDkimKey(storeId, id));
}

/** One that is not given anew stays, but is not sent to another server, or for another user. */
function passwordOf(
  storeId: string,
  { sender, sealedPassword }: SenderWithSealed,
  { settings }: SenderInput,
  relay: CheckedRelay | undefined,
  tools: SenderTools,
): string | null {
  if (!relay || relay.isShared) return null;
  if (settings?.password !== undefined) return sealPassword(storeId, sender.id, settings.password, tools);
  if (sealedPassword === null) return null;
  const before = sender.settings;
  const isSame = before && !before.isShared && before.host === relay.host && before.user === relay.user;
  if (isSame && before.port === relay.port && before.security === relay.security) return sealedPassword;
  const problem = 'must be given anew for another server or user, or be null';
  throw invalid({ path: ['settings', 'password'], problem });
}

function sealPassword(
  storeId: string,
  id: string,
  password: string | null | undefined,
  { secrets }: SenderTools,
): string | null {
  return password ? secrets.seal(password, placeOfPassword(storeId, id)) : null;
}
