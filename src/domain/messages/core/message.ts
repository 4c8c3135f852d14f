import type { Row } from '../../../db/tables.ts';
import type { QuietTimes } from '../../time/quiet-hours.ts';

export type MessageStatus = Row<'message'>['status'];
export type MessageClass = Row<'message'>['class'];
export type MessageChannel = Row<'message'>['channel'];
export type MessageSource = Row<'message'>['source'];

/** Why nothing was sent to a customer, though nothing failed. */
export type SkipReason =
  | 'profile_deleted'
  | 'no_address'
  | 'no_consent'
  | 'unsubscribed'
  | 'suppressed'
  | 'address_suppressed'
  | 'too_many_messages'
  | 'too_soon'
  | 'time_passed'
  | 'outside_hours'
  | 'missing_value'
  | 'hold_out'
  | 'merged';

/** Why a message could not be sent. */
export type FailureReason =
  | 'template_too_slow'
  | 'too_large'
  | 'render_failed'
  | 'sender_deleted'
  | 'no_mailbox'
  | 'recipient_refused'
  | 'message_refused'
  | 'sender_refused'
  | 'relay_unreachable'
  | 'undecided';

/** What a message says besides what is known of the customer. */
export interface MessageContext {
  /** Of the request, or the step. */
  data: Readonly<Record<string, unknown>>;
  /** The code that the run which sends it has got for the customer. */
  coupon?: Readonly<Record<string, unknown>>;
  /** Items by kinds of recommendation, looked up when it was made first. */
  recommended?: Readonly<Record<string, unknown>>;
  /** What the customer did; null if nothing started it. */
  event: Readonly<Record<string, unknown>> | null;
  /** The quiet hours of its automation, which it keeps also if its sender is late. */
  quiet?: QuietTimes;
  /** Whether it asks the customer to confirm that they subscribe to a list, by a link that it has to have. */
  isConfirmation?: boolean;
}

/** Why a message was not sent, or is not yet, in words for a merchant. */
export interface WhyNot {
  /** The reason of the message, or what holds it up. */
  cause: string;
  /** One sentence. */
  explanation: string;
  /** One sentence of what can be done; null if nothing can, or need be. */
  advice: string | null;
}

/** A message, as it is shown. */
export interface Message {
  id: string;
  profileId: string;
  senderId: string;
  /** Null: the text of the service. */
  templateId: string | null;
  templateVersion: number | null;
  source: MessageSource;
  sourceId: string | null;
  /** Of its campaign, from 1; null for one that is no part of its test. */
  variant: number | null;
  runId: string | null;
  stepId: string | null;
  channel: MessageChannel;
  class: MessageClass;
  status: MessageStatus;
  reason: string | null;
  address: string | null;
  response: string | null;
  attempts: number;
  /** What a text message was counted as; null before it is made, and for e-mail. */
  segments: number | null;
  /** When it is tried next; null unless it waits. */
  dueAt: Date | null;
  expiresAt: Date | null;
  createdAt: Date;
  begunAt: Date | null;
  finishedAt: Date | null;
  /** When it arrived, came back, and was complained about, as its provider says. */
  deliveredAt: Date | null;
  bouncedAt: Date | null;
  complainedAt: Date | null;
  /** The first open and the first click by a person. */
  openedAt: Date | null;
  clickedAt: Date | null;
  /** Those by people, and those of machines. */
  opens: number;
  clicks: number;
  machineOpens: number;
  machineClicks: number;
  /** Null if it was sent, or is about to be. */
  whyNot: WhyNot | null;
}
