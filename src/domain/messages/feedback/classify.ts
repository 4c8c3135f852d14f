import type { FailureReason, MessageStatus } from '../core/message.ts';
import { ABOUT_MESSAGE, ABOUT_SENDER, NO_MAILBOX } from '../core/status-codes.ts';
import type { Fault, FeedbackItem } from './item.ts';

/** Codes that say nothing but that it was permanent. */
const UNDEFINED_CODE = /^5\.0\.0$/;

/**
 * Says whose fault it is that a message came back, by its status code. Of a full mailbox (5.2.2) and of all else that has no
 * place in the table it is said that it may pass: the address is written to again.
 */
export function faultOf({ statusCode, isPermanent }: Pick<FeedbackItem, 'statusCode' | 'isPermanent'>): Fault {
  if (statusCode === null || UNDEFINED_CODE.test(statusCode)) return isPermanent ? 'address' : 'passing';
  if (NO_MAILBOX.test(statusCode)) return 'address';
  if (ABOUT_SENDER.test(statusCode)) return 'sender';
  if (ABOUT_MESSAGE.test(statusCode)) return 'message';
  return 'passing';
}

/** What becomes of a message that has come back: the same as if its relay had said so at once. */
export const OUTCOMES: Readonly<Record<Fault, { status: MessageStatus; reason: FailureReason }>> = {
  address: { status: 'bounced', reason: 'no_mailbox' },
  passing: { status: 'failed', reason: 'recipient_refused' },
  sender: { status: 'failed', reason: 'sender_refused' },
  message: { status: 'failed', reason: 'message_refused' },
};
