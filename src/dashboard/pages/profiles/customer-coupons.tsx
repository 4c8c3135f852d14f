import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useRows } from '../../api/operations.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { poolPath, usePools } from '../coupons/use-pools.ts';

/** The coupon codes that a customer was given; nothing for who has none, as in most stores. */
export function CustomerCoupons({ profileId }: { profileId: string }) {
  const query = useRows('listProfileCoupons', { id: profileId, limit: 20 }, ({ codes }) =>
    codes.map((one) => ({ ...one, id: `${one.pool_id} ${one.code}` })),
  );
  const pools = usePools();
  if (pools?.length === 0) return null;
  return (
    <Section title="Coupons" mt="lg">
      <Loaded query={query}>
        {(codes) =>
          codes.length === 0 ? (
            <Text size="sm" c="dimmed">
              This customer was given none.
            </Text>
          ) : (
            <Stack gap="xs">
              {codes.map(({ code, pool_id, status }) => (
                <Group key={`${pool_id} ${code}`} justify="space-between" gap="xs">
                  <Code style={{ overflowWrap: 'anywhere' }}>{code}</Code>
                  <Text size="sm" c="dimmed">
                    {status === 'used' && 'Used, '}
                    <Anchor component={Link} to={poolPath(pool_id)} inherit underline="always">
                      {pools?.find(({ id }) => id === pool_id)?.name ?? 'its pool'}
                    </Anchor>
                  </Text>
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
      <LoadMore pages={query} />
    </Section>
  );
}
