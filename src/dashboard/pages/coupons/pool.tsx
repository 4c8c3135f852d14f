import { Anchor, Button, DataList, Group } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { FootfallError, type CouponPool as Pool } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
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
  const all = (
    <Anchor component={Link} to="/coupons" inherit underline="always">
      All pools
    </Anchor>
  );
  if (query.error instanceof FootfallError && query.error.code === 'not_found') {
    return (
      <Page title="Coupons">
        <Empty title="Pool not found" action={all} />
      </Page>
    );
  }
  return (
    <Page
      title={query.data?.name ?? 'Coupons'}
      description={all}
      actions={mayRead && query.data && <PoolActions pool={query.data} />}
    >
      <Loaded query={query}>
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
      </Loaded>
    </Page>
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
