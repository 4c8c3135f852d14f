import { Button, DataList, Group } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { CouponPool as Pool } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { PageOfOne } from '../../components/page-of-one.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { AddCodes } from './add-codes.tsx';
import { CodeTable } from './code-table.tsx';
import { DeletePool } from './delete-pool.tsx';
import { SavePool } from './save-pool.tsx';

/** One pool, and its codes. */
export function CouponPool() {
  const { poolId = '' } = useParams();
  const mayRead = useAllows('catalog:write');
  const query = useOperation('getCouponPool', { id: poolId });
  return (
    <PageOfOne
      query={query}
      kind="Pool"
      heading="Coupons"
      all="All pools"
      to="/coupons"
      title={query.data?.name}
      actions={mayRead && query.data && <PoolActions pool={query.data} />}
    >
      {(pool) => (
        <>
          <Section title="About the pool">
            <DataList>
              <Item label="Free">{count(pool.free_count)}</Item>
              <Item label="With customers">{count(pool.assigned_count)}</Item>
              <Item label="Used">{count(pool.used_count)}</Item>
              <Item label="Void">{count(pool.void_count)}</Item>
              <Item label="Codes">{pool.pattern === null ? 'Of the shop' : `Random: ${pool.pattern}`}</Item>
              <Item label="One for">{pool.per === 'run' ? 'Each run of an automation' : 'Each customer'}</Item>
              <Item label="Low with fewer than">{pool.low_below === null ? 'Never' : count(pool.low_below)}</Item>
              <Item label="Expires">{pool.expires_at === null ? 'Never' : <Time value={pool.expires_at} />}</Item>
              <Item label="Id">{pool.id}</Item>
            </DataList>
          </Section>
          {mayRead && <CodeTable poolId={pool.id} />}
        </>
      )}
    </PageOfOne>
  );
}

function PoolActions({ pool }: { pool: Pool }) {
  const [asked, setAsked] = useState<'codes' | 'change' | 'delete'>();
  const close = () => setAsked(undefined);
  return (
    <Group gap="xs">
      <Button onClick={() => setAsked('codes')}>Add codes</Button>
      <Button variant="default" onClick={() => setAsked('change')}>
        Change
      </Button>
      <Button variant="default" c="red" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'codes' && <AddCodes pool={pool} onClose={close} />}
      {asked === 'change' && <SavePool pool={pool} onClose={close} />}
      {asked === 'delete' && <DeletePool pool={pool} onClose={close} />}
    </Group>
  );
}
