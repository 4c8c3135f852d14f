import { Anchor, Button, Group } from '@mantine/core';
import { PackageDependentsIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { Order } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { money } from '../../components/money.ts';
import { Page } from '../../components/page.tsx';
import { NameLink, Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../use-filters.ts';
import { OrderState } from './order-state.tsx';

const PAGE = 50;

export const orderPath = (id: string): string => `/orders/${encodeURIComponent(id)}`;

const COLUMNS: readonly Column<Order>[] = [
  {
    header: 'Order',
    isWholeLine: true,
    render: ({ id }) => <NameLink to={orderPath(id)}>{id}</NameLink>,
  },
  { header: 'Placed', width: 150, render: ({ placed_at }) => <Time value={placed_at} /> },
  {
    header: 'Customer',
    width: 110,
    render: ({ profile_id }) => (
      <Anchor component={Link} to={`/profiles/${profile_id}`} size="sm">
        Customer
      </Anchor>
    ),
  },
  {
    header: 'Amount',
    width: 130,
    align: 'right',
    render: ({ amount, currency }) => (amount === null ? '–' : money(amount, currency)),
  },
  {
    header: 'Refunded',
    width: 130,
    align: 'right',
    render: ({ refunded_amount, currency }) => (refunded_amount === '0' ? '–' : money(refunded_amount, currency)),
  },
  { header: 'State', width: 150, render: (order) => <OrderState order={order} /> },
];

/** What customers have ordered, the latest first; of one customer, if the address names one. */
export function Orders() {
  const [{ profile_id }, change] = useFilters(['profile_id']);
  const query = useRows('listOrders', { limit: PAGE, ...(profile_id && { profile_id }) }, ({ orders }) => orders);
  return (
    <Page title="Orders" description="What customers have ordered, made of the events of the shop.">
      <Section title={profile_id ? 'Orders of one customer' : 'Orders of this store'}>
        {profile_id && (
          <Group>
            <Button variant="default" size="xs" onClick={() => change({ profile_id: undefined })}>
              Show all orders
            </Button>
          </Group>
        )}
        <Rows
          query={query}
          label="Orders"
          columns={COLUMNS}
          to={orderPath}
          minWidth={800}
          empty={
            <Empty
              icon={<PackageDependentsIcon size={24} />}
              title="No orders yet"
              description="They are made of events such as placed_order: see the guide to orders."
            />
          }
        />
      </Section>
    </Page>
  );
}
