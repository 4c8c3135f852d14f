import { Badge, Text } from '@mantine/core';
import type { Order } from '../../../client/index.ts';

/** Whether an order stands, or what became of it. */
export function OrderState({ order: { amount, refunded_amount, cancelled_at } }: { order: Order }) {
  if (cancelled_at !== null) return <Badge color="red">Cancelled</Badge>;
  if (refunded_amount === '0') return <Text size="sm">Placed</Text>;
  return <Badge color="yellow">{refunded_amount === amount ? 'Refunded' : 'Partly refunded'}</Badge>;
}
