import type { AddressSuppressionReason } from '../../../client/index.ts';
import { wordsOf } from '../../components/words-of.ts';

export const REASONS: Readonly<Record<AddressSuppressionReason, string>> = {
  hard_bounce: 'there is no such mailbox',
  soft_bounces: 'it has not taken messages for long',
  complaint: 'its owner has complained',
  manual: 'the store says so',
  unsubscribed: 'it has answered STOP, and no customer has the number',
};

export const reasonOfAddress = (reason: string): string => wordsOf(REASONS, reason);

/** The reasons, for somebody to choose one. */
export const REASON_OPTIONS = [
  { value: 'manual', label: 'The store says so' },
  { value: 'hard_bounce', label: 'There is no such mailbox' },
  { value: 'soft_bounces', label: 'It takes no messages' },
  { value: 'complaint', label: 'Its owner has complained' },
  { value: 'unsubscribed', label: 'It has answered STOP' },
] as const satisfies readonly { value: AddressSuppressionReason; label: string }[];
