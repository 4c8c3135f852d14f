import { Anchor, DataList, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { CurrencyRevenue, FavouriteItem } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Figure } from '../../components/figure.tsx';
import { Item } from '../../components/item.tsx';
import { money } from '../../components/money.ts';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';

/** When a customer ordered, what that came to, and what they ordered most often. */
export function CustomerOrders({ profileId }: { profileId: string }) {
  const query = useOperation('getProfileOrderSummary', { id: profileId });
  const readsReports = useAllows('reports:read');
  return (
    <Section
      title="Orders"
      mt="lg"
      actions={
        readsReports && (
          <Anchor component={Link} to={`/orders?profile_id=${profileId}`} size="sm">
            All of them
          </Anchor>
        )
      }
    >
      <Loaded query={query}>
        {({ first_placed_at, last_placed_at, revenue, is_complete, is_cut, favourite_items = [] }) =>
          revenue.length === 0 ? (
            <Text size="sm" c="dimmed">
              This customer has ordered nothing.
            </Text>
          ) : (
            <Stack>
              {revenue.map((sums) => (
                <Sums key={sums.currency} sums={sums} />
              ))}
              {first_placed_at && last_placed_at && (
                <DataList>
                  <Item label="First order">
                    <Time value={first_placed_at} />
                  </Item>
                  <Item label="Last order">
                    <Time value={last_placed_at} />
                  </Item>
                </DataList>
              )}
              {favourite_items.length > 0 && <Favourites items={favourite_items} />}
              {(is_cut || !is_complete) && (
                <Text size="sm" c="dimmed">
                  {is_cut ? 'These are the latest orders only.' : 'Older orders are still being read.'}
                </Text>
              )}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}

function Sums({ sums }: { sums: CurrencyRevenue }) {
  const { currency, order_count, cancelled_count, net_amount, refunded_amount, average_amount } = sums;
  return (
    <Group component="dl" gap="xl" m={0} align="flex-start">
      <Figure
        label="Orders"
        value={count(order_count)}
        {...(cancelled_count > 0 && { change: `${count(cancelled_count)} more cancelled` })}
      />
      <Figure
        label="Total"
        value={money(net_amount, currency)}
        {...(refunded_amount !== '0' && { change: `after refunds of ${money(refunded_amount, currency)}` })}
      />
      {average_amount !== null && <Figure label="Average" value={money(average_amount, currency)} />}
    </Group>
  );
}

function Favourites({ items }: { items: readonly FavouriteItem[] }) {
  return (
    <Stack gap="xs" role="list" aria-label="Favourite items">
      {items.map(({ item_id, title, order_count }) => (
        <Group key={item_id} role="listitem" justify="space-between" gap="xs" wrap="nowrap">
          <Anchor
            component={Link}
            to={`/catalog/${encodeURIComponent(item_id)}`}
            size="sm"
            style={{ overflowWrap: 'anywhere' }}
          >
            {title}
          </Anchor>
          <Text size="sm" c="dimmed" flex="none">
            {count(order_count)} ×
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
