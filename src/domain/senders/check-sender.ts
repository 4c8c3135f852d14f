import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { Unopenable } from '../secrets/secrets.ts';
import type { WithConnection } from '../store-connections.ts';
import { bytesOf } from '../webhooks/deliveries/message.ts';
import { domainOf, isPublicName } from './address.ts';
import { placeOfDkimKey } from './dkim-keys.ts';
import { dkimCheck, dmarcCheck, domainCheck, returnPathCheck, spfCheck } from './domain-checks.ts';
import { findSealed, findSender, type SenderWithSealed } from './find-senders.ts';
import type { HandOverResult } from './hand-over.ts';
import { readMessageSettings } from './message-settings.ts';
import { type Receiver, readReceiver } from './receiver.ts';
import { relayUserOf } from './relay.ts';
import { CHECK_NAMES, type Check, type Sender } from './sender.ts';
import { deletedSender } from './senders.ts';
import type { SenderTools } from './tools.ts';
import { twilioUserOf } from './twilio/account.ts';
import { checkTwilioLogin } from './twilio/hand-over.ts';
import { handOverByWebhook } from './webhook-hand-over.ts';

/** Milliseconds for the connection, as somebody waits. */
const CONNECT_MS = 8_000;

/** Waits for what is not the database, and bounds itself. */
export type Apart = <T>(work: Promise<T>) => Promise<T>;

/**
 * Looks whether messages may be sent by a sender, and keeps what it finds. No connection to the database is held meanwhile.
 * Undefined if the store has no such sender. Throws `validation_error` if it is deleted.
 */
export async function checkSender(
  writing: WithConnection,
  storeId: string,
  id: string,
  tools: SenderTools,
  apart: Apart = (work) => work,
): Promise<Sender | undefined> {
  const read = await writing(storeId, async (db) => {
    const found = await findSealed(db, storeId, id);
    const endpointId = found?.sender.endpointId ?? null;
    return {
      found,
      settings: await readMessageSettings(db, storeId),
      receiver: endpointId === null ? undefined : await readReceiver(db, storeId, endpointId, tools.secrets),
    };
  });
  if (!read.found) return undefined;
  const { sender } = read.found;
  if (sender.deletedAt) throw deletedSender();
  const { found, receiver, settings } = read;
  const checks = await {
    outbox: checksOfOutbox,
    smtp: () => apart(findChecks(storeId, found, settings.postalAddress, tools)),
    webhook: () => apart(Promise.all([publicUrlCheck(tools), receiverCheck(receiver, tools)])),
    twilio: () => apart(Promise.all([publicUrlCheck(tools), twilioCheck(storeId, found, tools)])),
  }[sender.kind]();
  return await writing(storeId, async (db) => {
    await keepChecks(db, storeId, sender, checks);
    return await findSender(db, storeId, id);
  });
}

/** Not where the sender has been changed meanwhile: they are of what it was. */
async function keepChecks(
  db: Sql,
  storeId: string,
  { id, updatedAt }: Sender,
  checks: readonly Check[],
): Promise<void> {
  await sql`
    update sender set checks = ${JSON.stringify(checks)}::json, checked_at = now()
    where store_id = ${storeId} and id = ${id} and updated_at = ${updatedAt.toISOString()}::timestamptz`.execute(db);
}

function checksOfOutbox(): Check[] {
  return CHECK_NAMES.filter((name) => name !== 'domain').map((name) => ({
    name,
    ok: true,
    detail: 'An outbox sends nothing',
  }));
}

async function findChecks(
  storeId: string,
  found: SenderWithSealed,
  postalAddress: string | null,
  tools: SenderTools,
): Promise<Check[]> {
  const { sender } = found;
  const { dns } = tools;
  const domain = domainOf(sender.fromEmail as string);
  const isShared = sender.settings?.isShared ?? false;
  const checks = await Promise.all([
    publicUrlCheck(tools),
    connectionCheck(storeId, found, tools),
    ...(isShared ? [domainCheck(dns, domain, storeId)] : []),
    spfCheck(dns, domain),
    dkimCheckOf(storeId, found, tools),
    dmarcCheck(dns, domain),
    returnPathCheck(dns, domain),
    postalAddressCheck(postalAddress),
  ]);
  return checks;
}

async function dkimCheckOf(
  storeId: string,
  { sender, sealedDkimKey }: SenderWithSealed,
  { dns, secrets }: SenderTools,
): Promise<Check> {
  try {
    if (sealedDkimKey !== null) secrets.open(sealedDkimKey, placeOfDkimKey(storeId, sender.id));
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    const detail =
      "The key can't be read any more, as SECRET_KEY was changed; have another one by another dkim_selector";
    return { name: 'dkim', ok: false, detail };
  }
  return await dkimCheck(dns, domainOf(sender.fromEmail as string), sender);
}

function publicUrlCheck({ publicUrl }: SenderTools): Check {
  const name = 'public_url';
  if (publicUrl === undefined) return { name, ok: false, detail: 'The operator has not set PUBLIC_URL' };
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol !== 'https:') return { name, ok: false, detail: 'PUBLIC_URL does not begin with https://' };
  const isPublic = isPublicName(hostname) && !/\.(?:localhost|local|internal|lan|home\.arpa)$/.test(hostname);
  return isPublic
    ? { name, ok: true, detail: `Links in messages lead to ${publicUrl}` }
    : { name, ok: false, detail: 'PUBLIC_URL has no name that everybody can find' };
}

function postalAddressCheck(postalAddress: string | null): Check {
  return postalAddress === null
    ? { name: 'postal_address', ok: false, detail: 'The store has no postal address in its message settings' }
    : { name: 'postal_address', ok: true, detail: 'The store has a postal address' };
}

async function connectionCheck(storeId: string, found: SenderWithSealed, tools: SenderTools): Promise<Check> {
  const name = 'connection';
  try {
    const user = relayUserOf(storeId, found, tools);
    if (!user) return { name, ok: false, detail: 'The operator offers no shared server any more (SMTP_URL)' };
    const result = await tools.handOver.check(user, AbortSignal.timeout(CONNECT_MS));
    return { name, ok: result.outcome === 'accepted', detail: describe(result) };
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    return { name, ok: false, detail: "The password can't be read any more, as SECRET_KEY was changed; set it anew" };
  }
}

/** The receiver is sent what it need not understand: a 2xx says that it is there, and takes the signature. */
async function receiverCheck(receiver: Receiver | undefined, { sendWebhook }: SenderTools): Promise<Check> {
  const name = 'connection';
  if (!receiver) return { name, ok: false, detail: 'The endpoint is disabled' };
  const body = bytesOf({ type: 'webhook.test', at: Date.now(), data: {} });
  const result = await handOverByWebhook(sendWebhook, receiver, { id: newId(), body }, CONNECT_MS);
  return { name, ok: result.outcome === 'accepted', detail: describe(result) };
}

async function twilioCheck(storeId: string, found: SenderWithSealed, tools: SenderTools): Promise<Check> {
  const name = 'connection';
  try {
    const user = twilioUserOf(storeId, found, tools);
    if (!user) return { name, ok: false, detail: 'The sender has no account' };
    const result = await checkTwilioLogin(tools.sendWebhook, user, CONNECT_MS);
    return { name, ok: result.outcome === 'accepted', detail: describe(result) };
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    const detail = "What logs in to the account can't be read any more, as SECRET_KEY was changed; set it anew";
    return { name, ok: false, detail };
  }
}

function describe(result: HandOverResult): string {
  switch (result.outcome) {
    case 'accepted':
      return `The server answers: ${result.response}`;
    case 'refused':
      return `The server refuses: ${result.response}`;
    case 'failed':
      return `The server can't be used: ${WORDS[result.reason]}`;
  }
}

const WORDS: Record<Extract<HandOverResult, { outcome: 'failed' }>['reason'], string> = {
  name_not_found: 'its name has no address',
  address_refused: 'its address or its port is not permitted',
  connection_refused: 'nobody listens at its port',
  connect_timeout: 'it does not answer in time',
  connection_closed: 'it closes the connection',
  connection_failed: 'there is no connection to it',
  tls_failed: 'its encryption or its certificate does not hold',
  tls_not_offered: 'it offers no encryption',
  malformed_answer: 'it does not speak SMTP',
  server_error: 'it answers that something is wrong with it',
  timeout: 'it does not answer in time',
  aborted: 'it does not answer in time',
};
