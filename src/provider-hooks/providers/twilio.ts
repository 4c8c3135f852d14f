import { createHmac } from 'node:crypto';
import { readPhone } from '../../domain/canonical/phone.ts';
import type { FeedbackItem, FeedbackKind, ToldFeedback } from '../../domain/messages/feedback/item.ts';
import type { Reply } from '../../domain/messages/replies/reply.ts';
import type { ReplyWord } from '../../domain/messages/replies/words.ts';
import { faultOfCode, type TwilioFault } from '../../domain/senders/twilio/codes.ts';
import { isSame } from '../proof.ts';
import { type HookRequest, messageIdIn, type Settings, unproven } from '../values.ts';
import { itemId } from './items.ts';

/** What it is answered with: nothing to be sent back. */
export const NO_ANSWER = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

/** Fields of a request: Twilio sends some dozens. */
const MOST_FIELDS = 500;

const KINDS: Readonly<Record<string, FeedbackKind>> = {
  // The phone company has it, which is not yet the phone.
  sent: 'deferred',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'bounced',
  failed: 'bounced',
};
/** What it has found out itself, where it looks for such words. */
const WORDS: Readonly<Record<string, ReplyWord>> = { STOP: 'stop', START: 'start', HELP: 'help' };
/** The codes by which bounces are judged. */
const CODES: Readonly<Partial<Record<TwilioFault, string>>> = { number: '5.1.1', sender: '5.7.1', message: '5.6.0' };

/**
 * A hook of Twilio: what became of a message, or what was answered. Its signature is over the URL and all fields, without a time,
 * so that each thing counts once by its id.
 */
export function readTwilio({ body, header, url, now }: HookRequest, { key }: Settings): ToldFeedback {
  if (key === null) throw unproven('The sender has no auth token of Twilio yet');
  const text = body.toString();
  if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS) throw unproven('The request has too many fields');
  const fields = new URLSearchParams(text);
  expectSignature(url, fields, header('X-Twilio-Signature'), key);
  const id = fields.get('MessageSid') ?? fields.get('SmsSid');
  const status = fields.get('MessageStatus');
  if (status !== null) return { items: itemsOf(id, status, fields, url, text, now), proof: null };
  const isReply = fields.has('From') && fields.has('Body');
  return { items: [], replies: isReply ? [replyOf(id, fields, text)] : [], proof: null };
}

/** By HMAC-SHA1, as Twilio has no other for forms. */
function expectSignature(url: string, fields: URLSearchParams, given: string, key: string): void {
  const names = [...new Set(fields.keys())].sort();
  const values = (name: string) => [...new Set(fields.getAll(name))].sort();
  const text = names.flatMap((name) => values(name).map((value) => name + value)).join('');
  const fits = spellingsOf(url).map((spelling) =>
    isSame(
      given,
      createHmac('sha1', key)
        .update(spelling + text)
        .digest('base64'),
    ),
  );
  if (!fits.includes(true)) throw unproven('The signature is not that of the auth token of the sender');
}

/** With and without the usual port: which of them Twilio signs depends on its product. */
function spellingsOf(url: string): string[] {
  const [, scheme = '', host = '', port, rest = ''] = /^(https?):\/\/([^/:?]+)(:\d+)?(.*)$/s.exec(url) ?? [];
  const usual = scheme === 'https' ? ':443' : ':80';
  if (port === undefined) return [url, `${scheme}://${host}${usual}${rest}`];
  return port === usual ? [url, `${scheme}://${host}${rest}`] : [url];
}

function itemsOf(
  sid: string | null,
  status: string,
  fields: URLSearchParams,
  url: string,
  raw: string,
  now: number,
): FeedbackItem[] {
  const kind = Object.hasOwn(KINDS, status) ? KINDS[status] : undefined;
  if (!kind) return [];
  const code = Number(fields.get('ErrorCode')) || null;
  const fault = faultOfCode(code);
  const words = [code ?? '', fields.get('ErrorMessage') ?? ''].join(' ').trim();
  const item: FeedbackItem = {
    id: itemId(sid && `${sid} ${status}`, raw),
    kind,
    messageId: messageIdIn(new URL(url).searchParams.get('message_id')),
    statusCode: kind === 'bounced' && fault ? (CODES[fault] ?? null) : null,
    isPermanent: null,
    detail: words === '' ? null : `Twilio ${words}`,
    occurredAt: new Date(now),
    raw,
  };
  if (kind !== 'bounced' || fault !== 'opted_out') return [item];
  return [item, { ...item, id: itemId(sid && `${sid} unsubscribed`, `${raw} unsubscribed`), kind: 'unsubscribed' }];
}

function replyOf(sid: string | null, fields: URLSearchParams, raw: string): Reply {
  const number = readPhone(fields.get('From') ?? '', null)?.value;
  return {
    id: itemId(sid && `${sid} received`, raw),
    from: number?.startsWith('+') ? number : null,
    text: fields.get('Body') ?? '',
    word: WORDS[fields.get('OptOutType') ?? ''],
    at: null,
  };
}
