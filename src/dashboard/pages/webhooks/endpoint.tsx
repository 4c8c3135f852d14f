import { Badge, DataList } from '@mantine/core';
import { useParams } from 'react-router';
import type { WebhookEndpoint } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { PageOfOne } from '../../components/page-of-one.tsx';
import { Section } from '../../components/section.tsx';
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
  const { data } = query;
  return (
    <PageOfOne
      query={query}
      kind="Endpoint"
      all="All endpoints"
      to="/webhooks"
      title={data?.name}
      actions={data && data.status !== 'deleted' && <EndpointActions endpoint={data} />}
    >
      {(endpoint) => (
        <>
          <State endpoint={endpoint} />
          <Deliveries endpoint={endpoint} />
        </>
      )}
    </PageOfOne>
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
