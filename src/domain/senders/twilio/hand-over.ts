import { clip } from '../../service-error.ts';
import { type AttemptResult, isDelivered, type Send } from '../../webhooks/deliveries/attempt.ts';
import type { HandOverResult } from '../hand-over.ts';
import type { TwilioUser } from './account.ts';
import { faultOfCode } from './codes.ts';

/** Characters of an answer that are kept. */
const MAX_RESPONSE = 200;
/** What is said to an account that is let in and names no recipient. */
const NO_RECIPIENT = 21604;

/** What Twilio is told of a message beside whom it comes from. */
export interface TwilioMessage {
  /** `To` and `Body`, as a form. */
  body: Uint8Array;
  /** Where it tells what becomes of the message. */
  callbackUrl: string | undefined;
}

/**
 * Hands a message over to Twilio, which does not know repeats: whether another attempt is right depends on what the message
 * is. Never rejects.
 */
export async function handOverByTwilio(
  send: Send,
  user: TwilioUser,
  { body, callbackUrl }: TwilioMessage,
  timeoutMs?: number,
): Promise<HandOverResult> {
  const form = new URLSearchParams(Buffer.from(body).toString());
  if (callbackUrl !== undefined) form.set('StatusCallback', callbackUrl);
  const { result, hasBegun } = await post(send, user, form, timeoutMs);
  return resultOf(result, hasBegun);
}

/**
 * Looks whether the account lets us in, by a message to nobody, which it refuses: that costs nothing, and an API key that may
 * do nothing but send may do it, too.
 */
export async function checkTwilioLogin(send: Send, user: TwilioUser, timeoutMs: number): Promise<HandOverResult> {
  const { result, hasBegun } = await post(send, user, new URLSearchParams({ Body: 'A test' }), timeoutMs);
  const { code } = answerOf(result.excerpt);
  if (code === NO_RECIPIENT) return { outcome: 'accepted', response: 'The account lets us in' };
  return resultOf(result, hasBegun);
}

async function post(
  send: Send,
  { senderId, url, accountSid, from, messagingServiceSid, login }: TwilioUser,
  form: URLSearchParams,
  timeoutMs: number | undefined,
): Promise<{ result: AttemptResult; hasBegun: boolean }> {
  const basic = Buffer.from(`${login.user}:${login.password}`).toString('base64');
  if (from !== null) form.set('From', from);
  if (messagingServiceSid !== null) form.set('MessagingServiceSid', messagingServiceSid);
  let hasBegun = false;
  const request = {
    endpointId: senderId,
    url: `${url}/2010-04-01/Accounts/${accountSid}/Messages.json`,
    headers: {
      authorization: `Basic ${basic}`,
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Footfall/1',
      accept: 'application/json',
    },
    body: Buffer.from(form.toString()),
  };
  // Not once more on another connection by itself.
  const result = await send(request, timeoutMs, () => {
    const isFirst = !hasBegun;
    hasBegun = true;
    return isFirst;
  });
  return { result, hasBegun };
}

function resultOf(result: AttemptResult, hasBegun: boolean): HandOverResult {
  const { status, error, excerpt } = result;
  if (status === null) return { outcome: 'failed', reason: error ?? 'connection_failed', maybeSent: hasBegun };
  const { code, message, sid } = answerOf(excerpt);
  const words = [status, code, sid ?? message].filter((word) => word !== null && word !== '').join(' ');
  const response = clip(words, MAX_RESPONSE);
  if (isDelivered(result)) return { outcome: 'accepted', response };
  // It may have the message all the same, unless it says that it takes none now.
  if (status >= 500 && status !== 503) return { outcome: 'failed', reason: 'server_error', maybeSent: true };
  const refused = { outcome: 'refused', code: status, enhanced: null, response } as const;
  if (status < 400 || status >= 500 || status === 408 || status === 425 || status === 429) {
    return { ...refused, permanent: false, of: 'us' };
  }
  switch (faultOfCode(code)) {
    case 'number':
      return { ...refused, permanent: true, of: 'recipient', enhanced: '5.1.1' };
    case 'opted_out':
      return { ...refused, permanent: true, of: 'recipient', hasOptedOut: true };
    case 'pace':
      return { ...refused, permanent: false, of: 'us' };
    case 'sender':
      return { ...refused, permanent: true, of: 'us' };
    default: {
      const isOfUs = [401, 403, 404, 407].includes(status);
      return { ...refused, permanent: true, of: isOfUs ? 'us' : 'message' };
    }
  }
}

/** What an answer says; nothing, if it is not one of Twilio. */
function answerOf(excerpt: string | null): { code: number | null; message: string; sid: string | null } {
  const { code, message, sid } = parsed(excerpt ?? '');
  return {
    code: typeof code === 'number' ? code : null,
    message: typeof message === 'string' ? message.replace(/[\p{Cc}\s]+/gu, ' ').trim() : '',
    sid: typeof sid === 'string' && /^\w{34}$/.test(sid) ? sid : null,
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
