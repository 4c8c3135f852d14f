import { Anchor, Badge, Button, Code, DataList, Grid, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { SyncIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { FootfallError, type Run as RunData, type RunWithTimeline } from '../../../../client/index.ts';
import { useClient } from '../../../api/client.tsx';
import { useOperation } from '../../../api/operations.ts';
import { Item } from '../../../components/item.tsx';
import { Page } from '../../../components/page.tsx';
import { Section } from '../../../components/section.tsx';
import { Empty, Loaded } from '../../../components/states.tsx';
import { Time } from '../../../components/time.tsx';
import { colorOf, wordsOf } from '../../../components/words-of.ts';
import { known } from '../../../definitions.ts';
import { useAllows } from '../../../session/current-caller.tsx';
import { CustomerLink } from '../../profiles/customer-link.tsx';
import { useRefresh } from '../use-refresh.ts';
import { Named } from '../words/named.tsx';
import { endWords, RUN_COLORS } from '../words/reasons.ts';
import { stepWords } from '../words/steps.ts';
import { TRIGGER_NAMES } from '../words/trigger.ts';
import { RunTimeline } from './timeline.tsx';
import { Until } from './until.tsx';

/** Milliseconds. */
const REFRESH_MS = 5_000;

/** One passage of a customer through an automation: where it is, and how it came there. */
export function Run() {
  const { runId = '', automationId = '' } = useParams();
  const query = useOperation('getRun', { id: runId }, { refetchInterval: REFRESH_MS });
  if (query.error instanceof FootfallError && query.error.code === 'not_found') {
    return (
      <Page title="Run">
        <Empty
          title="Run not found"
          description="Ended runs are forgotten after a while."
          action={
            <Anchor component={Link} to={`/automations/${automationId}`}>
              The automation
            </Anchor>
          }
        />
      </Page>
    );
  }
  return (
    <Page
      title="Run"
      description="One passage of a customer through an automation."
      actions={query.data && <Actions run={query.data} />}
    >
      <Loaded query={query}>{(run) => <Details run={run} />}</Loaded>
    </Page>
  );
}

function Actions({ run: { id, status } }: { run: RunData }) {
  const client = useClient();
  const refresh = useRefresh();
  const mayChange = useAllows('automations:write', 'events:read', 'profiles:read');
  const change = useMutation({
    mutationFn: (operation: 'exitRun' | 'retryRun') => client[operation]({ id }),
    onSuccess: async (after) => {
      notifications.show({
        title: 'Run',
        message:
          after.status === 'ended'
            ? 'It has ended.'
            : after.status === 'failed'
              ? 'It stays failed: another run of the customer has taken its place.'
              : 'It goes on.',
      });
      await refresh();
    },
    onError: ({ message }) => notifications.show({ color: 'red', title: 'Nothing was changed', message }),
  });
  if (!mayChange || status === 'ended') return null;
  return (
    <>
      {status === 'failed' && (
        <Button leftSection={<SyncIcon />} onClick={() => change.mutate('retryRun')} loading={change.isPending}>
          Retry
        </Button>
      )}
      <Button variant="light" color="red" onClick={() => change.mutate('exitRun')} loading={change.isPending}>
        End the run
      </Button>
    </>
  );
}

function Details({ run }: { run: RunWithTimeline }) {
  const automation = useOperation('getAutomation', { id: run.automation_id });
  const version = useOperation(
    'getAutomationVersion',
    { id: run.automation_id, number: String(run.version) },
    { staleTime: Number.POSITIVE_INFINITY },
  );
  const definition = version.data && known(version.data.definition);
  const step = definition?.steps.find(({ id }) => id === run.step_id);
  const timeZone = run.timeline.findLast(({ step_id, detail }) => step_id === run.step_id && detail.until)?.detail
    .time_zone;
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Section title="State">
          <DataList>
            <Item label="Automation">
              <Anchor component={Link} to={`/automations/${run.automation_id}`} size="sm" underline="always">
                {automation.data?.name ?? run.automation_id}
              </Anchor>
              , version {run.version}
            </Item>
            <Item label="Customer">
              <CustomerLink id={run.profile_id} />
            </Item>
            <Item label="Status">
              <Badge color={colorOf(RUN_COLORS, run.status)}>{run.status}</Badge>
              {run.reason && ` ${endWords(run.reason)}`}
            </Item>
            <Item label="Step">
              {run.step_id}
              {step && (
                <Text size="sm" c="dimmed">
                  <Named>{stepWords(step)}</Named>
                </Text>
              )}
            </Item>
            {run.due_at && (
              <Item label="Goes on">
                {run.waiting?.for === 'wait' && 'at the latest '}
                <Until value={run.due_at} timeZone={timeZone} />
              </Item>
            )}
            <Item label="Started by">
              {wordsOf(TRIGGER_NAMES, run.trigger.type)}
              {run.trigger.event_id && (
                <>
                  {': '}
                  <Anchor component={Link} to={`/events/${run.trigger.event_id}`} size="sm" underline="always">
                    show
                  </Anchor>
                </>
              )}
            </Item>
            {run.key !== null && <Item label="Key">{run.key}</Item>}
            <Item label="Started">
              <Time value={run.started_at} />
            </Item>
            {run.ended_at && (
              <Item label={run.status === 'failed' ? 'Failed' : 'Ended'}>
                <Time value={run.ended_at} />
              </Item>
            )}
            <Item label="Id">
              <Code>{run.id}</Code>
            </Item>
          </DataList>
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Section title="Timeline">
          <RunTimeline timeline={run.timeline} definition={definition} label="Timeline" />
        </Section>
      </Grid.Col>
    </Grid>
  );
}
