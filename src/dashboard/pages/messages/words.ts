import type { Message, MessageStatus } from '../../../client/index.ts';
import { wordsOf } from '../../components/words-of.ts';

export const MESSAGE_COLORS: Readonly<Record<MessageStatus, string>> = {
  waiting: 'gray',
  claimed: 'gray',
  sending: 'gray',
  sent: 'green',
  bounced: 'red',
  complained: 'red',
  skipped: 'yellow',
  failed: 'red',
  expired: 'yellow',
  cancelled: 'gray',
  unknown: 'orange',
};

export const STATUS_WORDS: Readonly<Record<MessageStatus, string>> = {
  waiting: 'It waits to be sent.',
  claimed: 'It is about to be sent.',
  sending: 'It is being handed over.',
  sent: 'The relay has taken it; whether it was read, nobody knows.',
  bounced: 'It came back.',
  complained: 'The customer has complained of it.',
  skipped: 'The customer is not to be sent it.',
  failed: 'It could not be sent.',
  expired: 'It was too late to send it.',
  cancelled: 'Somebody has cancelled it.',
  unknown: 'Nobody knows whether it was sent.',
};

const REASON_WORDS: Readonly<Record<string, string>> = {
  profile_deleted: 'the customer is not known any more',
  no_address: 'the customer has no address',
  no_consent: 'the customer has not consented',
  unsubscribed: 'the customer has opted out',
  suppressed: 'the customer is suppressed',
  address_suppressed: 'the address is suppressed',
  too_many_messages: 'the customer has had as many messages as they may',
  too_soon: 'the customer has just had another message',
  missing_value: 'a value that the template requires is missing',
  template_too_slow: 'the template took too long',
  too_large: 'it became too large',
  render_failed: 'it could not be made of the template',
  sender_deleted: 'the sender is deleted',
  no_mailbox: 'the address does not exist',
  recipient_refused: 'the server refused the customer’s address',
  message_refused: 'the server refused the message',
  sender_refused: 'the server refused the sender',
  relay_unreachable: 'the server could not be reached',
  undecided: 'nobody knows whether it was sent',
};

export const reasonWords = (reason: string): string => wordsOf(REASON_WORDS, reason);

export const SOURCE_WORDS: Readonly<Record<string, string>> = {
  request: 'A request',
  automation: 'An automation',
  campaign: 'A campaign',
} satisfies Record<Exclude<Message['source'], object>, string>;
