import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { WebhookEndpoint } from '../../../client/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import type { Pages } from '../../components/load-more.tsx';
import { Time } from '../../components/time.tsx';
import { EndpointState, Queued } from './health.tsx';

export const endpointPath = (id: string): string => `/webhooks/${id}`;

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  {
    header: 'Name',
    isWholeLine: true,
    render: ({ id, name, url }) => (
      <Stack gap={2}>
        <Anchor component={Link} to={endpointPath(id)} size="sm" fw={500}>
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {url}
        </Text>
      </Stack>
    ),
  },
  { header: 'State', width: 280, isWholeLine: true, render: (endpoint) => <EndpointState endpoint={endpoint} /> },
  { header: 'Queued', width: 190, render: (endpoint) => <Queued endpoint={endpoint} /> },
  { header: 'Created', width: 130, render: ({ created_at }) => <Time value={created_at} format="date" /> },
];

export function EndpointTable({ endpoints, pages }: { endpoints: readonly WebhookEndpoint[]; pages: Pages }) {
  return (
    <DataTable
      label="Endpoints"
      columns={COLUMNS}
      rows={endpoints}
      rowKey={({ id }) => id}
      rowTo={({ id }) => endpointPath(id)}
      pages={pages}
      minWidth={760}
    />
  );
}
