import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { WebhookDelivery } from '../../../../client/index.ts';
import { useAllows } from '../../../session/current-caller.tsx';
import { deliveryPath } from './delivery-table.tsx';

/** Leads to a delivery; nothing where the key may not see it. */
export function DeliveryLink(delivery: Pick<WebhookDelivery, 'endpoint_id' | 'id'>) {
  const mayRead = useAllows('webhooks:manage');
  if (!mayRead) return null;
  return (
    <Anchor component={Link} to={deliveryPath(delivery)} inherit underline="always">
      The delivery
    </Anchor>
  );
}
