import { Anchor, Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PlusIcon, TagIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { CouponPool } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { PoolState } from './pool-state.tsx';
import { SavePool } from './save-pool.tsx';
import { poolPath } from './use-pools.ts';

const COLUMNS: readonly Column<CouponPool>[] = [
  {
    header: 'Name',
    isWholeLine: true,
    render: (pool) => (
      <Stack gap={2}>
        <Anchor component={Link} to={poolPath(pool.id)} size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {pool.name}
        </Anchor>
        <PoolState pool={pool} />
      </Stack>
    ),
  },
  { header: 'Free', width: 110, align: 'right', render: ({ free_count }) => count(free_count) },
  { header: 'With customers', width: 140, align: 'right', render: ({ assigned_count }) => count(assigned_count) },
  { header: 'Used', width: 110, align: 'right', render: ({ used_count }) => count(used_count) },
];

/** Pools of coupon codes, each of which one customer gets. */
export function CouponPools() {
  const query = useRows('listCouponPools', { limit: 100 }, ({ pools }) => pools);
  const [isCreating, { open, close }] = useDisclosure();
  const mayChange = useAllows('catalog:write');
  return (
    <Page
      title="Coupons"
      description="Codes that customers get, one each: by a step of an automation, or by the API."
      actions={
        mayChange && (
          <Button leftSection={<PlusIcon />} onClick={open}>
            Create a pool
          </Button>
        )
      }
    >
      <Section title="Pools of this store">
        <Loaded query={query}>
          {(pools) =>
            pools.length > 0 ? (
              <DataTable
                label="Pools"
                columns={COLUMNS}
                rows={pools}
                rowKey={({ id }) => id}
                rowTo={({ id }) => poolPath(id)}
                pages={query}
                minWidth={560}
              />
            ) : (
              <Empty
                icon={<TagIcon size={24} />}
                title="No pools yet"
                description="Create one, add codes to it, and give them to customers by an automation."
              />
            )
          }
        </Loaded>
      </Section>
      {isCreating && <SavePool onClose={close} />}
    </Page>
  );
}
