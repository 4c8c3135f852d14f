import type { Row } from '../../db/tables.ts';
import type { Channel } from '../consent/consent.ts';
import type { WarmingUp } from './warm-up.ts';

export type SenderKind = 'outbox' | 'smtp' | 'webhook' | 'twilio';
export type FeedbackProvider = NonNullable<Row<'sender'>['feedback_provider']>;
export type SenderClass = 'marketing' | 'transactional' | 'both';

/** How a sender of the kind `smtp` hands messages over. Its password is not among it. */
export type SmtpSettings =
  | { isShared: true }
  | {
      isShared: false;
      host: string;
      port: number;
      security: 'tls' | 'starttls';
      user: string | null;
      isPasswordSet: boolean;
    };

/** The account at Twilio that sends text messages. Its secrets are not among it. */
export interface TwilioSettings {
  accountSid: string;
  /** Null: the auth token of the account logs in. */
  apiKeySid: string | null;
  /** A number, or a name; null where a service chooses one. */
  from: string | null;
  messagingServiceSid: string | null;
}

/** What was found of a sender. */
export interface Check {
  name: CheckName;
  ok: boolean;
  detail: string;
}

/** In the order in which they are to be mended. */
export const CHECK_NAMES = [
  'public_url',
  'connection',
  'domain',
  'spf',
  'dkim',
  'dmarc',
  'return_path',
  'postal_address',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** Whom messages come from, and how they leave. */
export interface Sender {
  id: string;
  kind: SenderKind;
  name: string;
  /** As it is on the wire; null where it sends no e-mail. */
  fromEmail: string | null;
  fromName: string | null;
  replyTo: string | null;
  /** Which messages it is for. */
  class: SenderClass;
  /** Null for any other kind than `smtp`. */
  settings: SmtpSettings | null;
  /** The endpoint that takes text messages; null for any other kind than `webhook`. */
  endpointId: string | null;
  /** Null for any other kind than `twilio`. */
  twilio: TwilioSettings | null;
  /** The name under which its DKIM key is published. */
  dkimSelector: string | null;
  /** Of the key by which its messages are signed here, in base64; null where the relay signs. */
  dkimPublicKey: string | null;
  /** Who tells what becomes of its messages. */
  feedbackProvider: FeedbackProvider | null;
  maxPerSecond: number;
  maxPerDay: number | null;
  /** Messages of this day of UTC, with tests. */
  sentToday: number;
  maxConcurrent: number;
  /** Null where it sends as many as it can from the first day on. */
  warmUp: WarmingUp | null;
  /** Empty if nobody has looked since it was changed. */
  checks: readonly Check[];
  checkedAt: Date | null;
  restingUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

/** Whether it takes messages of a channel: an outbox keeps all. */
export function takes({ kind }: Pick<Sender, 'kind'>, channel: Channel): boolean {
  return kind === 'outbox' || sendsTexts(kind) === (channel === 'sms');
}

/** Whether a kind of senders is for text messages alone. */
export function sendsTexts(kind: SenderKind): boolean {
  return kind === 'webhook' || kind === 'twilio';
}

/** Whether messages may be sent by it. */
export function isReady({ kind, checks, deletedAt }: Pick<Sender, 'kind' | 'checks' | 'deletedAt'>): boolean {
  if (deletedAt !== null) return false;
  return kind === 'outbox' || (checks.length > 0 && checks.every(({ ok }) => ok));
}

/** The first check that failed; null if none has, or nobody has looked. */
export function firstFailing({ checks }: Pick<Sender, 'checks'>): CheckName | null {
  return checks.find(({ ok }) => !ok)?.name ?? null;
}
