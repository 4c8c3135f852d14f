import { Badge, Group, Text } from '@mantine/core';
import type { Sender } from '../../../client/index.ts';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { CHECK_WORDS } from './words.ts';

/** Whether messages may be sent by a sender, and what to mend first if not. */
export function SenderState({ sender }: { sender: Sender }) {
  const { ready, first_failing, checked_at, kind, resting_until, deleted_at } = sender;
  if (deleted_at !== null) return <Badge color="gray">deleted</Badge>;
  return (
    <Group gap="xs">
      <Badge color={ready ? 'green' : 'yellow'}>{ready ? 'ready' : 'not ready'}</Badge>
      {first_failing && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Does not hold: {wordsOf(CHECK_WORDS, first_failing)}
        </Text>
      )}
      {checked_at === null && kind !== 'outbox' && <Text size="sm">Nobody has checked it since it was changed.</Text>}
      {resting_until && (
        <Text size="sm">
          It rests until <Time value={resting_until} />, as it did nothing but fail.
        </Text>
      )}
    </Group>
  );
}
