import { Anchor, DataList } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { FootfallError } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Item } from '../../components/item.tsx';
import { money } from '../../components/money.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { OrderState } from './order-state.tsx';

/** An order, whose it is, and what came of it. */
export function Order() {
  const { orderId = '' } = useParams();
  const query = useOperation('getOrder', { id: orderId });
  const readsEvents = useAllows('events:read');
  const readsCustomers = useAllows('profiles:read');
  if (query.error instanceof FootfallError && query.error.code === 'not_found') {
    return (
      <Page title={orderId} description="An order of the store.">
        <Empty
          title="Order not found"
          action={
            <Anchor component={Link} to="/orders">
              All orders
            </Anchor>
          }
        />
      </Page>
    );
  }
  return (
    <Page title={orderId} description="An order of the store.">
      <Loaded query={query}>
        {(order) => (
          <Section title="Order">
            <DataList>
              <Item label="State">
                <OrderState order={order} />
              </Item>
              <Item label="Placed">
                <Time value={order.placed_at} />
              </Item>
              {readsCustomers && (
                <Item label="Customer">
                  <CustomerLink id={order.profile_id} />
                </Item>
              )}
              <Item label="Amount">{order.amount === null ? '–' : money(order.amount, order.currency)}</Item>
              <Item label="Refunded">
                {order.refunded_amount === '0' ? '–' : money(order.refunded_amount, order.currency)}
              </Item>
              {order.cancelled_at && (
                <Item label="Cancelled">
                  <Time value={order.cancelled_at} />
                </Item>
              )}
              {readsEvents && (
                <Item label="Event">
                  <Anchor component={Link} to={`/events/${order.event_id}`} size="sm">
                    What the shop has sent
                  </Anchor>
                </Item>
              )}
            </DataList>
          </Section>
        )}
      </Loaded>
    </Page>
  );
}
