import { Anchor, Badge, DataList } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { FootfallError, type WebhookEndpoint } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { Deliveries } from './deliveries/deliveries.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointState, Queued } from './health.tsx';

/** Milliseconds. */
const REFRESH_MS = 5_000;

/** One endpoint: how it does, and what was sent to it. */
export function Endpoint() {
  const { endpointId = '' } = useParams();
  const query = useOperation('getWebhookEndpoint', { id: endpointId }, { refetchInterval: REFRESH_MS });
  if (query.error instanceof FootfallError && query.error.code === 'not_found') {
    return (
      <Page title="Endpoint">
        <Empty
          title="Endpoint not found"
          action={
            <Anchor component={Link} to="/webhooks">
              All endpoints
            </Anchor>
          }
        />
      </Page>
    );
  }
  const { data } = query;
  return (
    <Page
      title={data?.name ?? 'Endpoint'}
      description={
        <Anchor component={Link} to="/webhooks" inherit underline="always">
          All endpoints
        </Anchor>
      }
      actions={data && data.status !== 'deleted' && <EndpointActions endpoint={data} />}
    >
      <Loaded query={query}>
        {(endpoint) => (
          <>
            <State endpoint={endpoint} />
            <Deliveries endpoint={endpoint} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function State({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { url, max_per_second, max_concurrent, previous_secrets_until: until } = endpoint;
  return (
    <Section title="State">
      <DataList>
        <Item label="URL">{url}</Item>
        <Item label="State">
          <EndpointState endpoint={endpoint} />
        </Item>
        <Item label="Queued">
          <Queued endpoint={endpoint} />
        </Item>
        <Item label="At most">
          {count(max_per_second)} requests in a second, {count(max_concurrent)} at a time
        </Item>
        {until && (
          <Item label="Secret">
            <Badge color="yellow">rotated</Badge> The one before signs, too, until <Time value={until} />
          </Item>
        )}
        <Item label="Created">
          <Time value={endpoint.created_at} />
        </Item>
      </DataList>
    </Section>
  );
}
