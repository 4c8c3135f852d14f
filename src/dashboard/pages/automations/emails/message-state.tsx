import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useOperation } from '../../../api/operations.ts';
import { wordsOf } from '../../../components/words-of.ts';
import { useAllows } from '../../../session/current-caller.tsx';
import { messagePath } from '../../messages/use-messages.ts';
import { whyNotWords } from '../../messages/why-not.ts';

/** What has become of an e-mail; nothing where the key may not see it, or it is not kept any more. */
export function MessageState({ id }: { id: string }) {
  const mayRead = useAllows('messages:read', 'profiles:read');
  const { data: message } = useOperation('getMessage', { id }, { enabled: mayRead });
  if (!mayRead) return <Text size="sm">Your key does not allow to see what became of it.</Text>;
  if (!message) return null;
  const { status, why_not } = message;
  return (
    <>
      It is {wordsOf({}, status)}. {why_not && `${whyNotWords(why_not)} `}
      <Anchor component={Link} to={messagePath(id)} inherit underline="always">
        The message
      </Anchor>
    </>
  );
}
