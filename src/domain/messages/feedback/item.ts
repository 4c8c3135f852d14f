import type { FeedbackRecord } from '../../../db/entities/feedback.ts';
import type { Reply } from '../replies/reply.ts';

export type FeedbackKind = Exclude<FeedbackRecord['kind'], 'subscribed' | 'help' | 'replied'>;
/**
 * Whose fault it is that a message came back: there is no such address; it has not taken this one, and may take another; the
 * sender is not wanted; or it is this message that was not.
 */
export type Fault = NonNullable<FeedbackRecord['fault']>;

/** One thing that a provider tells of a message. */
export interface FeedbackItem {
  /** By which the provider knows it, unique for the sender; 255 characters at most. */
  id: string;
  kind: FeedbackKind;
  /** That of this service; null if the provider does not say which. */
  messageId: string | null;
  /** An enhanced status code, as `5.1.1`; null if there is none. */
  statusCode: string | null;
  /** Whether the provider calls a bounce permanent, where it says so: asked where the code says nothing. */
  isPermanent: boolean | null;
  /** What was said, in words. */
  detail: string | null;
  occurredAt: Date;
  /** As it came. */
  raw: string;
}

/** What a request was signed by, and what it tells: it is taken once more with the same, and with nothing else. */
export interface Proof {
  token: string;
  /** 255 characters at most. */
  told: string;
}

/** Items of one request, and what it was signed by, where that is good for one request only. */
export interface ToldFeedback {
  items: readonly FeedbackItem[];
  /** What was answered to text messages; left out by those who tell nothing of it. */
  replies?: readonly Reply[];
  proof: Proof | null;
}
