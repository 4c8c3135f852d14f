import { Badge, Group } from '@mantine/core';
import type { CatalogFeed, CatalogFeedRun } from '../../../client/index.ts';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { MANY_FAILURES, STATUS_COLORS, STATUS_WORDS } from './words.ts';

export function RunStatus({ status }: Pick<CatalogFeedRun, 'status'>) {
  return (
    <Badge color={colorOf(STATUS_COLORS, status)} variant="light">
      {wordsOf(STATUS_WORDS, status)}
    </Badge>
  );
}

/** What there is to know of a feed at a glance. */
export function FeedState({ feed }: { feed: CatalogFeed }) {
  const { is_paused, is_running, waiting_run_id, failure_count, last_run } = feed;
  return (
    <Group gap={4}>
      {is_paused && (
        <Badge color="gray" variant="light">
          Paused
        </Badge>
      )}
      {waiting_run_id !== null && <RunStatus status="needs_confirmation" />}
      {is_running ? (
        <RunStatus status="running" />
      ) : failure_count >= MANY_FAILURES ? (
        <Badge color="red" variant="light">
          Failed {failure_count} times
        </Badge>
      ) : (
        last_run && last_run.status !== 'needs_confirmation' && <RunStatus status={last_run.status} />
      )}
    </Group>
  );
}
