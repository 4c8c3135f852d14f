import { Text } from '@mantine/core';
import { useOperation } from '../../../api/operations.ts';
import { wordsOf } from '../../../components/words-of.ts';
import { useAllows } from '../../../session/current-key.tsx';

/** What has become of an e-mail; nothing where the key may not see it, or it is not kept any more. */
export function MessageState({ id }: { id: string }) {
  const mayRead = useAllows('messages:read', 'profiles:read');
  const { data: message } = useOperation('getMessage', { id }, { enabled: mayRead });
  if (!mayRead) return <Text size="sm">Your key does not allow to see what became of it.</Text>;
  if (!message) return null;
  return `It is ${wordsOf({}, message.status)}${message.reason === null ? '' : `: ${reasonWords(message.reason)}`}`;
}

const REASON_WORDS: Readonly<Record<string, string>> = {
  profile_deleted: 'the customer is not known any more',
  no_address: 'the customer has no address',
  no_consent: 'the customer has not consented',
  unsubscribed: 'the customer has opted out',
  suppressed: 'the customer is suppressed',
  address_suppressed: 'the address does not work, or its owner complained',
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

/** Why an e-mail was not sent, in words. */
export const reasonWords = (reason: string): string => wordsOf(REASON_WORDS, reason);
