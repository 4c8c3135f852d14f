import { Button, Group } from '@mantine/core';
import { SyncIcon } from '@primer/octicons-react';
import { useState } from 'react';
import type { WebhookDeliveryStatus, WebhookEndpoint } from '../../../../client/index.ts';
import { useRows } from '../../../api/operations.ts';
import { FilterSelect } from '../../../components/filter-select.tsx';
import { Section } from '../../../components/section.tsx';
import { Empty, Loaded } from '../../../components/states.tsx';
import { TimeInput } from '../../../components/time-input.tsx';
import { useFilters } from '../../../use-filters.ts';
import { DELIVERY_COLORS } from '../words.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { ReplayMany } from './replay-many.tsx';

/** Milliseconds. */
const REFRESH_MS = 5_000;
const PAGE = 25;
const STATUSES = Object.keys(DELIVERY_COLORS) as WebhookDeliveryStatus[];

/** What was sent to an endpoint, and what is to be. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [filters, change] = useFilters(['status', 'from', 'to']);
  const { status, from = '', to = '' } = filters;
  const args = { id: endpoint.id, limit: PAGE, ...(filters as { status?: WebhookDeliveryStatus }) };
  const query = useRows('listWebhookDeliveries', args, ({ deliveries }) => deliveries, {
    refetchInterval: REFRESH_MS,
  });
  const [isReplaying, setReplaying] = useState(false);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Section
      title="Deliveries"
      actions={
        endpoint.status !== 'deleted' && (
          <Button size="xs" variant="default" leftSection={<SyncIcon />} onClick={() => setReplaying(true)}>
            Replay several
          </Button>
        )
      }
    >
      <Group gap="sm" align="flex-end" role="search" aria-label="Filter deliveries">
        <FilterSelect
          name="status"
          filters={filters}
          change={change}
          label="Status"
          placeholder="Any status"
          data={STATUSES}
          w={150}
        />
        <TimeInput label="From" value={from} onChange={(value) => change({ from: value })} w={200} />
        <TimeInput label="Until" value={to} onChange={(value) => change({ to: value })} w={200} />
        {isFiltered && (
          <Button variant="subtle" onClick={() => change({ status: undefined, from: undefined, to: undefined })}>
            Clear
          </Button>
        )}
      </Group>
      <Loaded query={query}>
        {(deliveries) =>
          deliveries.length > 0 || query.hasNextPage ? (
            <DeliveryTable deliveries={deliveries} pages={query} />
          ) : isFiltered ? (
            <Empty title="No deliveries match these filters" />
          ) : (
            <Empty
              title="Nothing was sent to it yet"
              description="Test it, or choose it in the step of an automation."
            />
          )
        }
      </Loaded>
      {isReplaying && (
        <ReplayMany endpoint={endpoint} initial={{ status, from, to }} onClose={() => setReplaying(false)} />
      )}
    </Section>
  );
}
