import { Code, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { CouponCode, CouponStatus } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { CustomerLink } from '../profiles/customer-link.tsx';

const STATUS_WORDS: Readonly<Record<CouponStatus, string>> = {
  free: 'Free',
  assigned: 'With a customer',
  used: 'Used',
  void: 'Void',
};

const COLUMNS: readonly Column<CouponCode>[] = [
  { header: 'Code', isWholeLine: true, render: ({ code }) => <Code style={{ overflowWrap: 'anywhere' }}>{code}</Code> },
  { header: 'Status', width: 150, render: ({ status }) => wordsOf(STATUS_WORDS, status) },
  {
    header: 'Customer',
    width: 220,
    render: ({ profile_id }) => (profile_id === null ? '–' : <CustomerLink id={profile_id} />),
  },
  {
    header: 'Since',
    width: 150,
    render: ({ used_at, assigned_at, created_at }) => <Time value={used_at ?? assigned_at ?? created_at} />,
  },
];

type Shown = CouponStatus | 'all';

/** The codes of a pool, those added last first. */
export function CodeTable({ poolId }: { poolId: string }) {
  const [shown, setShown] = useState<Shown>('all');
  const filter = shown === 'all' ? {} : { status: shown };
  const query = useRows('listCouponPoolCodes', { id: poolId, limit: 50, ...filter }, ({ codes }) =>
    codes.map((one) => ({ ...one, id: `${one.pool_id} ${one.code}` })),
  );
  return (
    <Section
      title="Codes"
      mt="lg"
      actions={
        <SegmentedControl
          aria-label="Which codes"
          size="xs"
          data={[
            { value: 'all', label: 'All' },
            ...Object.entries(STATUS_WORDS).map(([value, label]) => ({ value, label })),
          ]}
          value={shown}
          onChange={(value) => setShown(value as Shown)}
        />
      }
    >
      <Loaded query={query}>
        {(codes) =>
          codes.length === 0 ? (
            <Text size="sm" c="dimmed">
              There are none.
            </Text>
          ) : (
            <DataTable
              label="Codes"
              columns={COLUMNS}
              rows={codes}
              rowKey={({ code }) => code}
              pages={query}
              minWidth={560}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
