import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useOperation } from '../../api/operations.ts';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { suppressionOf } from './use-suppressions.ts';
import { reasonOfAddress } from './words.ts';

/** That nothing is sent to an address, and why; nothing where it is sent to. */
export function SuppressedNotice({ address }: { address: string }) {
  const enabled = useAllows('messages:read', 'profiles:read');
  const { data } = useOperation('listSuppressedAddresses', { address, limit: 1 }, { enabled });
  const [suppressed] = data?.addresses ?? [];
  if (!suppressed) return null;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      Nothing is sent to {address} since <Time value={suppressed.suppressed_at} />: {reasonOfAddress(suppressed.reason)}
      .{' '}
      <Anchor component={Link} {...suppressionOf(address)} size="sm" underline="always">
        The suppression
      </Anchor>
    </Text>
  );
}
