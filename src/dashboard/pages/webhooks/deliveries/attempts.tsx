import { Badge, Group, List, Stack, Text } from '@mantine/core';
import type { WebhookAttempt } from '../../../../client/index.ts';
import { CopyableCode } from '../../../components/copyable-code.tsx';
import { Time } from '../../../components/time.tsx';
import { isSuccess, millisecondWords, resultWords } from '../words.ts';

/** The attempts to send a delivery, the latest first. */
export function Attempts({ attempts }: { attempts: readonly WebhookAttempt[] }) {
  return (
    <List
      listStyleType="none"
      spacing="md"
      aria-label="Attempts"
      styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
    >
      {attempts.map((attempt) => (
        <List.Item key={attempt.number}>
          <Stack gap={4}>
            <AttemptResult attempt={attempt} />
          </Stack>
        </List.Item>
      ))}
    </List>
  );
}

/** What came of one attempt. */
export function AttemptResult({ attempt }: { attempt: WebhookAttempt }) {
  const { number, at, duration_ms, excerpt, resent } = attempt;
  return (
    <>
      <Group gap="xs">
        <Badge color={isSuccess(attempt) ? 'green' : 'red'}>{attempt.status ?? 'no answer'}</Badge>
        <Text size="sm" fw={500}>
          {resultWords(attempt)}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        Attempt {number} · <Time value={at} /> · {millisecondWords(duration_ms)}
      </Text>
      {resent && (
        <Text size="xs" c="dimmed">
          Sent twice: the connection that was kept had been closed.
        </Text>
      )}
      {excerpt !== null && excerpt !== '' && (
        <CopyableCode code={excerpt} label={`Beginning of the answer to attempt ${number}`} />
      )}
    </>
  );
}
