import { TagIcon } from '@primer/octicons-react';
import type { CouponPool } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { OpenButton } from '../../components/open-button.tsx';
import { Page } from '../../components/page.tsx';
import { nameColumn, Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { PoolState } from './pool-state.tsx';
import { SavePool } from './save-pool.tsx';
import { poolPath } from './use-pools.ts';

const COLUMNS: readonly Column<CouponPool>[] = [
  nameColumn(poolPath, (pool) => <PoolState pool={pool} />),
  { header: 'Free', width: 110, align: 'right', render: ({ free_count }) => count(free_count) },
  { header: 'With customers', width: 140, align: 'right', render: ({ assigned_count }) => count(assigned_count) },
  { header: 'Used', width: 110, align: 'right', render: ({ used_count }) => count(used_count) },
];

/** Pools of coupon codes, each of which one customer gets. */
export function CouponPools() {
  const query = useRows('listCouponPools', { limit: 100 }, ({ pools }) => pools);
  const mayChange = useAllows('catalog:write');
  return (
    <Page
      title="Coupons"
      description="Codes that customers get, one each: by a step of an automation, or by the API."
      actions={mayChange && <OpenButton text="Create a pool">{(close) => <SavePool onClose={close} />}</OpenButton>}
    >
      <Section title="Pools of this store">
        <Rows
          query={query}
          label="Pools"
          columns={COLUMNS}
          to={poolPath}
          minWidth={560}
          empty={
            <Empty
              icon={<TagIcon size={24} />}
              title="No pools yet"
              description="Create one, add codes to it, and give them to customers by an automation."
            />
          }
        />
      </Section>
    </Page>
  );
}
