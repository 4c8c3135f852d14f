import { Anchor, Button, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Rfm } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { ActionForm } from '../../components/action-form.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { money } from '../../components/money.ts';
import { count } from '../../components/numbers.ts';
import { Empty, Loaded } from '../../components/states.tsx';
import { segmentPath, useRefreshSegments } from './use-segments.ts';

/** Makes segments by when, how often and for how much customers have ordered, once their numbers were shown. */
export function RfmSegments() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        RFM segments
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="RFM segments" size="lg">
        {isOpen && <Preview />}
      </Modal>
    </>
  );
}

function Preview() {
  const query = useOperation('getRfm', {});
  return (
    <Stack>
      <Text size="sm">
        Eight ready segments of those who have ordered, by how recently, how often and for how much: ordinary ones,
        whose numbers are renewed once a month.
      </Text>
      <Loaded query={query}>{(rfm) => <Numbers rfm={rfm} />}</Loaded>
    </Stack>
  );
}

/** What is said of each, by the numbers of the store. */
const WORDS: Readonly<Record<string, (numbers: NonNullable<Rfm['thresholds']>, high: string) => string>> = {
  champions: ({ recent_days: days }, high) => `Ordered in the last ${days} days, and ${high}`,
  loyal: ({ recent_days: days, some_orders: some }) => `Ordered in the last ${days} days, ${some} times or more`,
  new: ({ recent_days: days }) => `Ordered in the last ${days} days, and no more than that`,
  needs_attention: ({ recent_days, middle_days }) => `Good customers, last ${recent_days} to ${middle_days} days ago`,
  about_to_sleep: ({ recent_days, middle_days }) => `Others, last ${recent_days} to ${middle_days} days ago`,
  at_risk: ({ middle_days: days }) => `Good customers, last more than ${days} days ago`,
  hibernating: ({ middle_days, late_days }) => `Others, last ${middle_days} to ${late_days} days ago`,
  lost: ({ late_days: days }) => `Others, last more than ${days} days ago`,
};

function Numbers({ rfm }: { rfm: Rfm }) {
  const { thresholds, segments, customer_count: customers, is_sampled: isSampled, currency } = rfm;
  const client = useClient();
  const queryClient = useQueryClient();
  const refresh = useRefreshSegments();
  const saving = useMutation({
    mutationFn: () => client.refreshRfmSegments(),
    onSuccess: async (after) => {
      queryClient.setQueryData(['getRfm', {}], after);
      notifications.show({ title: 'RFM segments', message: 'They are made, and their members are worked out.' });
      await refresh();
    },
  });
  if (!thresholds) {
    return <Empty title="Too few customers have ordered" description="From 20 on, their fifths say something." />;
  }
  const high = `${thresholds.many_orders} times or more, or for more than ${money(thresholds.high_amount, currency)}`;
  const columns: Column<Rfm['segments'][number]>[] = [
    {
      header: 'Segment',
      width: 180,
      render: ({ name, segment_id: id }) =>
        id === null ? (
          name
        ) : (
          <Anchor component={Link} to={segmentPath(id)} size="sm">
            {name}
          </Anchor>
        ),
    },
    { header: 'Who is in it', width: 320, render: ({ kind }) => WORDS[kind]?.(thresholds, high) ?? '–' },
  ];
  const isMade = segments.some(({ segment_id }) => segment_id !== null);
  return (
    <ActionForm
      verb={isMade ? 'Renew the segments' : 'Make the segments'}
      failure="Not all segments were made"
      error={saving.error}
      isPending={saving.isPending}
      onSubmit={() => saving.mutate()}
    >
      <Text size="sm" c="dimmed">
        By {isSampled ? 'about ' : ''}
        {count(customers)} customers with orders.
      </Text>
      <DataTable label="RFM segments" columns={columns} rows={segments} rowKey={({ kind }) => kind} minWidth={480} />
    </ActionForm>
  );
}
