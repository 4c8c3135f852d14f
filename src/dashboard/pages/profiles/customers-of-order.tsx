import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Event } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { CustomerLink } from './customer-link.tsx';

const COLUMNS: readonly Column<Event>[] = [
  { header: 'Customer', render: ({ profile_id }) => <CustomerLink id={profile_id} /> },
  {
    header: 'Event',
    render: ({ id, event_type }) => (
      <Anchor component={Link} to={`/events/${id}`} size="sm">
        {event_type}
      </Anchor>
    ),
  },
  { header: 'When', width: 230, render: ({ occurred_at }) => <Time value={occurred_at} /> },
];

/** What was recorded of an order, and of whom: by the property `order_id`, which is found however long ago it was. */
export function CustomersOfOrder({ orderId }: { orderId: string }) {
  const filter = { property: 'order_id', property_value: orderId };
  const query = useRows('listEvents', filter, ({ events }) => events);
  return (
    <Section title="Events of the order">
      <Rows
        query={query}
        label="Events of the order"
        columns={COLUMNS}
        empty={
          <Empty
            title="No order found"
            description="Enter the whole number, as events have it in their property order_id."
          />
        }
      />
    </Section>
  );
}
