import { Button, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { IdentifierSplit } from '../../../client/index.ts';
import { useOperation, useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { ConfirmMerge } from '../profiles/merge-customer.tsx';
import { nameOf } from '../profiles/name-of.ts';

const PAGE = 20;

interface Row extends IdentifierSplit {
  id: string;
  /** The customers, each once. */
  customers: string[];
}

/** Addresses and numbers that several customers have in different spellings, who can be merged; nothing if there are none. */
export function Splits() {
  const [merging, setMerging] = useState<Row>();
  const query = useRows('listIdentifierSplits', { limit: PAGE }, ({ splits }) => splits.map(toRow));
  // Those that are one by now are found no more by the next check.
  const rows = query.data?.filter(({ customers }) => customers.length > 1) ?? [];
  if (rows.length === 0 && !query.hasNextPage) return null;
  const columns: readonly Column<Row>[] = [
    {
      header: 'Address or number',
      render: ({ value }) => (
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {value}
        </Text>
      ),
    },
    {
      header: 'Customers',
      render: ({ customers }) => (
        <Stack gap={0}>
          {customers.map((id) => (
            <CustomerLink key={id} id={id} />
          ))}
        </Stack>
      ),
    },
    { header: 'Found', width: 170, render: ({ found_at }) => <Time value={found_at} /> },
    {
      header: 'Merge',
      width: 110,
      render: (row) => (
        <Button size="xs" variant="default" aria-label={`Merge those of ${row.value}`} onClick={() => setMerging(row)}>
          Merge
        </Button>
      ),
    },
  ];
  return (
    <Section title="Customers with the same address or number">
      <Text size="sm" c="dimmed" mb="xs">
        Earlier versions have stored it in several spellings, each with a customer of its own. None are merged by
        themselves.
      </Text>
      <DataTable
        label="Customers with the same address or number"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        pages={query}
      />
      {merging && <MergeSplit split={merging} onClose={() => setMerging(undefined)} />}
    </Section>
  );
}

function toRow(split: IdentifierSplit): Row {
  const customers = [...new Set(split.owners.map(({ profile_id }) => profile_id))];
  return { ...split, id: `${split.kind} ${split.value}`, customers };
}

/** Of more than two, two after the other. */
function MergeSplit({ split: { value, customers }, onClose }: { split: Row; onClose: () => void }) {
  const [one, other] = customers as [string, string];
  const [stays, setStays] = useState(one);
  const gone = stays === one ? other : one;
  const both = { [one]: useOperation('getProfile', { id: one }), [other]: useOperation('getProfile', { id: other }) };
  const [profile, from] = [both[stays]?.data, both[gone]?.data];
  return (
    <Modal opened onClose={onClose} title={`Merge those of ${value}`} size="lg">
      <Stack>
        <Radio.Group label="Who stays" value={stays} onChange={setStays}>
          <Stack gap="xs" mt="xs">
            {[one, other].map((id) => (
              <Radio key={id} value={id} label={nameWords(both[id]?.data)} />
            ))}
          </Stack>
        </Radio.Group>
        <Loaded query={both[stays] as (typeof both)[string]}>
          {() => profile && from && <ConfirmMerge key={stays} profile={profile} other={from} onCancel={onClose} />}
        </Loaded>
      </Stack>
    </Modal>
  );
}

function nameWords(profile: Parameters<typeof nameOf>[0] | undefined): string {
  return profile ? nameOf(profile) : '…';
}
