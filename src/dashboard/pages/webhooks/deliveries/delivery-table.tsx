import { Anchor, Badge } from '@mantine/core';
import { Link } from 'react-router';
import type { WebhookDelivery, WebhookDeliverySummary } from '../../../../client/index.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import type { Pages } from '../../../components/load-more.tsx';
import { Time } from '../../../components/time.tsx';
import { colorOf } from '../../../components/words-of.ts';
import { DELIVERY_COLORS } from '../words.ts';

export const deliveryPath = ({ endpoint_id, id }: Pick<WebhookDelivery, 'endpoint_id' | 'id'>): string =>
  `/webhooks/${endpoint_id}/deliveries/${id}`;

const COLUMNS: readonly Column<WebhookDeliverySummary>[] = [
  {
    header: 'Message',
    render: (delivery) => (
      <Anchor component={Link} to={deliveryPath(delivery)} size="sm" fw={500}>
        {delivery.message_type}
      </Anchor>
    ),
  },
  {
    header: 'Status',
    width: 110,
    render: ({ status }) => <Badge color={colorOf(DELIVERY_COLORS, status)}>{status}</Badge>,
  },
  { header: 'Created', width: 225, render: ({ created_at }) => <Time value={created_at} /> },
  {
    header: 'Next attempt',
    width: 190,
    render: ({ next_attempt_at }) => next_attempt_at && <Time value={next_attempt_at} />,
  },
  { header: 'Finished', width: 225, render: ({ finished_at }) => finished_at && <Time value={finished_at} /> },
];

export function DeliveryTable({ deliveries, pages }: { deliveries: readonly WebhookDeliverySummary[]; pages: Pages }) {
  return (
    <DataTable
      label="Deliveries"
      columns={COLUMNS}
      rows={deliveries}
      rowKey={({ id }) => id}
      rowTo={deliveryPath}
      pages={pages}
      minWidth={800}
    />
  );
}
