import { Badge, Text } from '@mantine/core';
import type { WebhookEndpoint } from '../../../client/index.ts';
import { plural } from '../../components/durations.ts';
import { count } from '../../components/numbers.ts';
import { Time } from '../../components/time.tsx';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { DISABLED_WORDS, ENDPOINT_COLORS } from './words.ts';

/** What the service counts up to. */
const MOST_QUEUED = 10_000;

/** How an endpoint does, and why. */
export function EndpointState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { status } = endpoint;
  const isFailing = status === 'active' && endpoint.failing_since !== null;
  return (
    <>
      <Badge color={isFailing ? 'orange' : colorOf(ENDPOINT_COLORS, status)}>{isFailing ? 'failing' : status}</Badge>
      <Text size="xs" c="dimmed" component="div" mt={2}>
        <Why endpoint={endpoint} />
      </Text>
    </>
  );
}

function Why({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { status, disabled_reason, disabled_at, deleted_at, failures, failing_since, resting_until } = endpoint;
  if (status === 'deleted') return deleted_at && <Time value={deleted_at} />;
  if (status === 'disabled') {
    return (
      <>
        {disabled_at && <Time value={disabled_at} />}
        {disabled_reason && `: ${wordsOf(DISABLED_WORDS, disabled_reason)}`}
      </>
    );
  }
  const failed = failing_since !== null && (
    <>
      {plural(failures, 'failure')} since <Time value={failing_since} />
    </>
  );
  if (status !== 'resting') return failed;
  return (
    <>
      {resting_until && (
        <>
          Nothing is sent before <Time value={resting_until} format="clock" />
          {failed && '; '}
        </>
      )}
      {failed}
    </>
  );
}

/** How many deliveries wait, and since when. */
export function Queued({ endpoint: { queued, oldest_queued_at } }: { endpoint: WebhookEndpoint }) {
  return (
    <>
      {queued >= MOST_QUEUED ? `${count(queued)} or more` : count(queued)}
      {oldest_queued_at && (
        <Text size="xs" c="dimmed" component="div">
          oldest of <Time value={oldest_queued_at} />
        </Text>
      )}
    </>
  );
}
