import { Anchor, Badge, Code, DataList, Grid, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { FootfallError, type WebhookDelivery } from '../../../../client/index.ts';
import { useOperation } from '../../../api/operations.ts';
import { Item } from '../../../components/item.tsx';
import { Page } from '../../../components/page.tsx';
import { Section } from '../../../components/section.tsx';
import { Empty, Loaded } from '../../../components/states.tsx';
import { Time } from '../../../components/time.tsx';
import { colorOf, wordsOf } from '../../../components/words-of.ts';
import { useAllows } from '../../../session/current-caller.tsx';
import { runPath } from '../../automations/runs/run-table.tsx';
import { endpointPath } from '../endpoint-table.tsx';
import { DELIVERY_COLORS, DELIVERY_WORDS } from '../words.ts';
import { Attempts } from './attempts.tsx';
import { Replay } from './replay.tsx';
import { SentRequest } from './request.tsx';

/** Milliseconds. */
const REFRESH_MS = 3_000;

/** One message to an endpoint: what it says, and what came of each attempt to send it. */
export function Delivery() {
  const { endpointId = '', deliveryId = '' } = useParams();
  const query = useOperation('getWebhookDelivery', { id: deliveryId }, { refetchInterval: REFRESH_MS });
  if (query.error instanceof FootfallError && query.error.code === 'not_found') {
    return (
      <Page title="Delivery">
        <Empty
          title="Delivery not found"
          description="They are kept for 30 days."
          action={
            <Anchor component={Link} to={endpointPath(endpointId)}>
              The endpoint
            </Anchor>
          }
        />
      </Page>
    );
  }
  return (
    <Page
      title={query.data?.message_type ?? 'Delivery'}
      description="One message to a webhook endpoint."
      actions={query.data && <Replay delivery={query.data} />}
    >
      <Loaded query={query}>{(delivery) => <Details delivery={delivery} />}</Loaded>
    </Page>
  );
}

function Details({ delivery }: { delivery: WebhookDelivery }) {
  const { id, endpoint_id, status, next_attempt_at, expires_at, created_at, finished_at, attempts } = delivery;
  const endpoint = useOperation('getWebhookEndpoint', { id: endpoint_id }, { staleTime: 60_000 });
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Section title="State">
          <DataList>
            <Item label="Endpoint">
              <Anchor component={Link} to={endpointPath(endpoint_id)} size="sm" underline="always">
                {endpoint.data?.name ?? endpoint_id}
              </Anchor>
            </Item>
            <Item label="Status">
              <Badge color={colorOf(DELIVERY_COLORS, status)}>{status}</Badge>
              <Text size="sm" c="dimmed">
                {wordsOf(DELIVERY_WORDS, status)}
              </Text>
            </Item>
            <SentBy delivery={delivery} />
            {next_attempt_at && (
              <Item label="Next attempt">
                <Time value={next_attempt_at} />
              </Item>
            )}
            {expires_at && (
              <Item label="Not sent after">
                <Time value={expires_at} />
              </Item>
            )}
            <Item label="Created">
              <Time value={created_at} />
            </Item>
            {finished_at && (
              <Item label="Finished">
                <Time value={finished_at} />
              </Item>
            )}
            <Item label="Id">
              <Code>{id}</Code>
            </Item>
          </DataList>
        </Section>
        <Section title="Attempts" mt="lg">
          {attempts.length === 0 ? (
            <Text size="sm" c="dimmed">
              None yet.
            </Text>
          ) : (
            <Attempts attempts={attempts} />
          )}
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Section title="Request">
          <SentRequest delivery={delivery} />
        </Section>
      </Grid.Col>
    </Grid>
  );
}

function SentBy({ delivery: { run_id, body } }: { delivery: WebhookDelivery }) {
  const mayReadRuns = useAllows('automations:read', 'events:read', 'profiles:read');
  const automationId = automationIn(body);
  return (
    <Item label="Sent by">
      {run_id === null ? (
        'A test'
      ) : mayReadRuns && automationId !== undefined ? (
        <Anchor component={Link} to={runPath({ automation_id: automationId, id: run_id })} size="sm" underline="always">
          The run of an automation
        </Anchor>
      ) : (
        <>
          The run <Code>{run_id}</Code>
        </>
      )}
    </Item>
  );
}

/** The id of the automation that a message names. */
function automationIn(body: string): string | undefined {
  try {
    return JSON.parse(body).automation?.id;
  } catch {
    return undefined;
  }
}
