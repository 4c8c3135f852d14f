import type { Message, MessageStatus } from '../../../client/index.ts';

export const MESSAGE_COLORS: Readonly<Record<MessageStatus, string>> = {
  waiting: 'gray',
  claimed: 'gray',
  sending: 'gray',
  sent: 'green',
  delivered: 'green',
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
  delivered: 'It has arrived, as its provider says; whether it was read, nobody knows.',
  bounced: 'It came back.',
  complained: 'The customer has complained of it.',
  skipped: 'The customer is not to be sent it.',
  failed: 'It could not be sent.',
  expired: 'It was too late to send it.',
  cancelled: 'Somebody has cancelled it.',
  unknown: 'Nobody knows whether it was sent.',
};

export const SOURCE_WORDS: Readonly<Record<string, string>> = {
  request: 'A request',
  automation: 'An automation',
  campaign: 'A campaign',
} satisfies Record<Exclude<Message['source'], object>, string>;
