import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { readPhone } from '../canonical/phone.ts';
import { readAddress } from '../senders/address.ts';
import type { Apart } from '../senders/check-sender.ts';
import { findSealed, findSender, type SenderWithSealed } from '../senders/find-senders.ts';
import type { HandOverResult } from '../senders/hand-over.ts';
import { readReceiver } from '../senders/receiver.ts';
import { type Sender, sendsTexts } from '../senders/sender.ts';
import { deletedSender } from '../senders/senders.ts';
import type { SenderTools } from '../senders/tools.ts';
import { twilioUserOf } from '../senders/twilio/account.ts';
import { handOverByTwilio } from '../senders/twilio/hand-over.ts';
import { LIMIT_TODAY, WARM_UP_DAYS } from '../senders/warm-up.ts';
import { handOverByWebhook } from '../senders/webhook-hand-over.ts';
import { invalid, ServiceError } from '../service-error.ts';
import type { WithConnection } from '../store-connections.ts';
import type { RenderedMessage } from '../templates/core/compiled.ts';
import { escapeHtml } from '../templates/core/escaping/escape.ts';
import { countSegments } from '../templates/core/sms/segments.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import type { MadeMail } from './mail.ts';
import { keepMail } from './outbox.ts';
import { type DirectContent, directMail, opened, sendDirectly } from './send-directly.ts';
import { answerOfOutbox } from './sending/simulator.ts';
import { makeTextMessage } from './text-message.ts';

/** Milliseconds for the hand-over, as somebody waits. */
const SEND_MS = 12_000;
/** Tests of a sender in a day of UTC: they go to any address, whoever has it. */
const MAX_TESTS = 50;

/** What came of a test, and by which id an outbox has kept it. */
export interface SenderTested {
  result: HandOverResult;
  /** Null if none has. */
  messageId: string | null;
}

/** Where a test goes, and what it says: a small fixed message, unless there is one of a template. */
export interface Test {
  to: string;
  message?: RenderedMessage | undefined;
}

/**
 * Sends a message to an address, and returns what came of it; one that counts for the sender's day. No connection
 * to the database is held meanwhile. Undefined if the store has no such sender. Throws `validation_error` if it is deleted,
 * for a malformed address, after too many tests, and where a domain is not the store's to send from.
 */
export async function testSender(
  writing: WithConnection,
  storeId: string,
  id: string,
  { to, message }: Test,
  tools: SenderTools,
  apart: Apart = (work) => work,
): Promise<SenderTested | undefined> {
  const number = numberIn(to);
  const address = number ?? readAddress(to, 'to');
  const kind = await writing(storeId, async (db) => (await findSender(db, storeId, id))?.kind);
  if (kind === undefined) return undefined;
  const isText = message ? message.segments !== null : sendsTexts(kind);
  if (isText && number === undefined) throw noNumber();
  if (!isText) readAddress(to, 'to');
  const found = await writing(storeId, (db) => takeTest(db, storeId, id));
  if (!found) return undefined;
  if (found.sender.kind === 'outbox') return await keepTest(writing, storeId, found.sender, address, message);
  return { result: await apart(sendOne(writing, storeId, found, { to: address, message }, tools)), messageId: null };
}

function sendOne(
  writing: WithConnection,
  storeId: string,
  found: SenderWithSealed,
  { to, message }: Test,
  tools: SenderTools,
): Promise<HandOverResult> {
  const { sender } = found;
  if (sender.endpointId !== null) {
    return sendText(writing, storeId, sender, { endpointId: sender.endpointId, to, message }, tools);
  }
  if (sender.kind === 'twilio') return sendByTwilio(storeId, found, { to, message }, tools);
  const mail = { to, id: newId(), content: contentOf(sender, message) };
  return sendDirectly(storeId, found, mail, tools, AbortSignal.timeout(SEND_MS));
}

/** Undefined for anything but an international number. */
function numberIn(to: string): string | undefined {
  const number = readPhone(to, null)?.value;
  return number?.startsWith('+') ? number : undefined;
}

function noNumber(): ServiceError {
  return invalid({ path: ['to'], problem: 'must be one international number, which begins with +' });
}

async function sendText(
  writing: WithConnection,
  storeId: string,
  sender: Sender,
  { endpointId, to, message }: Test & { endpointId: string },
  tools: SenderTools,
): Promise<HandOverResult> {
  const receiver = await writing(storeId, (db) => readReceiver(db, storeId, endpointId, tools.secrets));
  if (!receiver) throw new ServiceError('validation_error', 'The endpoint of the sender is disabled');
  const body = testText(sender, to, message).raw;
  return await handOverByWebhook(tools.sendWebhook, receiver, { id: newId(), body }, SEND_MS);
}

async function sendByTwilio(
  storeId: string,
  found: SenderWithSealed,
  { to, message }: Test,
  tools: SenderTools,
): Promise<HandOverResult> {
  const user = opened(() => twilioUserOf(storeId, found, tools));
  if (!user) throw new ServiceError('validation_error', 'The sender has no account');
  const body = testText(found.sender, to, message).raw;
  return await handOverByTwilio(tools.sendWebhook, user, { body, callbackUrl: undefined }, SEND_MS);
}

function testText({ kind, fromName }: Sender, to: string, message: RenderedMessage | undefined): MadeMail {
  const text = message?.text ?? 'This message was sent by Footfall, to see whether it arrives.';
  const segments = countSegments(text);
  const form = kind === 'twilio' ? kind : 'webhook';
  return makeTextMessage({ form, to, from: fromName, text, segments, class: 'transactional', profileId: null });
}

/** Keeps what an outbox does not refuse, in the place of a relay. */
async function keepTest(
  writing: WithConnection,
  storeId: string,
  sender: Sender,
  to: string,
  message: RenderedMessage | undefined,
): Promise<SenderTested> {
  const result = answerOfOutbox(to);
  if (result.outcome !== 'accepted') return { result, messageId: null };
  const messageId = newId();
  const isText = message !== undefined && message.segments !== null;
  const mail = isText ? testText(sender, to, message) : directMail(sender, to, messageId, contentOf(sender, message));
  await writing(storeId, (db) => keepMail(db, storeId, messageId, mail));
  return { result, messageId };
}

/** What a test by mail says. */
function contentOf(sender: Sender, message: RenderedMessage | undefined): DirectContent {
  return message ? { ...message, subject: `[Test] ${message.subject}` } : fixedMessage(sender.name);
}

function fixedMessage(senderName: string): DirectContent {
  const text = `This message was sent by the sender "${senderName}" of Footfall, to see whether it arrives.`;
  const html = `<!doctype html><html lang="en"><body><p>${escapeHtml(text)}</p></body></html>`;
  return { subject: 'A test by Footfall', html, text };
}

/** Counts the test, and returns the sender. */
async function takeTest(db: Sql, storeId: string, id: string): Promise<SenderWithSealed | undefined> {
  const take = async (tx: Sql) => {
    const found = await findSealed(tx, storeId, id, sql`for update`);
    if (!found) return undefined;
    if (found.sender.deletedAt) throw deletedSender();
    const { rows } = await sql<{ tests: number; most: number | null }>`
      select ${LIMIT_TODAY} as most, case when tested_on = current_date then tests else 0 end as tests
      from sender s where store_id = ${storeId} and id = ${id}`.execute(tx);
    const [{ tests, most }] = rows as [(typeof rows)[number]];
    const { sentToday: sent } = found.sender;
    if (tests >= MAX_TESTS) {
      throw new ServiceError('validation_error', `The sender has been tested ${MAX_TESTS} times today`);
    }
    if (most !== null && sent >= most) {
      const why = most === found.sender.maxPerDay ? 'max_per_day' : 'warm_up';
      throw new ServiceError('validation_error', `The sender has sent all that it may today (${why})`);
    }
    await sql`
      update sender s
      set day = current_date, sent_today = ${sent + 1}, tested_on = current_date, tests = ${tests + 1},
        warm_up_days = ${WARM_UP_DAYS}
      where store_id = ${storeId} and id = ${id}`.execute(tx);
    return found;
  };
  return await retryConflicts(db, () => db.transaction().execute(take));
}
