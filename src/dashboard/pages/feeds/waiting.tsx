import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import type { CatalogFeedRun } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { count, share } from '../../components/numbers.ts';
import { Failure } from '../../components/states.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { useRefreshFeeds } from './use-feeds.ts';

/** Asks whether a run may hide what it did not find. */
export function WaitingRun({ feedId, runId }: { feedId: string; runId: string }) {
  const run = useOperation('getCatalogFeedRun', { id: feedId, run_id: runId }).data;
  return run?.status === 'needs_confirmation' ? <Question run={run} /> : null;
}

function Question({ run }: { run: CatalogFeedRun }) {
  const client = useClient();
  const refresh = useRefreshFeeds();
  const mayDecide = useAllows('catalog:write');
  const deciding = useMutation({
    mutationFn: (decision: 'confirm' | 'dismiss') =>
      client.confirmCatalogFeedRun({ id: run.feed_id, run_id: run.id, decision }),
    onSettled: refresh,
  });
  const there = run.created_count + run.updated_count + run.unchanged_count;
  const part = share(run.missing_count, run.missing_count + there);
  return (
    <Alert
      color="orange"
      icon={<AlertIcon />}
      title={`Should ${count(run.missing_count)} items be hidden?`}
      role="status"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          The file that was read last has {count(run.record_count)} products; {count(run.missing_count)} published items
          of this feed are not in it, about {part} of all. If the file is right, they are sold no longer. If it is cut
          short or a mistake, leave them.
        </Text>
        {deciding.error && <Failure error={deciding.error} title="That was not decided" />}
        {mayDecide && (
          <Group gap="xs">
            <Button
              color="red"
              loading={deciding.isPending && deciding.variables === 'confirm'}
              onClick={() => deciding.mutate('confirm')}
            >
              Hide them
            </Button>
            <Button
              variant="default"
              loading={deciding.isPending && deciding.variables === 'dismiss'}
              onClick={() => deciding.mutate('dismiss')}
            >
              Leave them
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
