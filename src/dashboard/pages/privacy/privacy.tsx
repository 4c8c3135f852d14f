import { Alert, Anchor, Text } from '@mantine/core';
import { AlertIcon, ShieldLockIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { Erasure, Merge } from '../../../client/index.ts';
import { useOperation, useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { State } from './state.tsx';
import { erasurePath, eventsWords, isOver, mergePath } from './words.ts';

const PAGE = 20;
/** Milliseconds between two looks while nothing is known to be under way. */
const SELDOM_MS = 15_000;

const ERASURES: readonly Column<Erasure>[] = [
  {
    header: 'Erased',
    render: ({ id, created_at }) => (
      <Anchor component={Link} to={erasurePath(id)} size="sm" fw={500}>
        <Time value={created_at} />
      </Anchor>
    ),
  },
  { header: 'State', width: 150, render: (erasure) => <State isOver={isOver(erasure)} doing="Erasing" /> },
  { header: 'Known', width: 120, render: ({ profile_found }) => (profile_found ? 'yes' : 'nobody') },
  { header: 'Events', width: 150, render: ({ events }) => eventsWords(events) },
  {
    header: 'Rows',
    width: 100,
    align: 'right',
    render: ({ tables }) => count(tables.reduce((sum, { row_count }) => sum + row_count, 0)),
  },
];

const MERGES: readonly Column<Merge>[] = [
  {
    header: 'Merged',
    render: ({ id, created_at }) => (
      <Anchor component={Link} to={mergePath(id)} size="sm" fw={500}>
        <Time value={created_at} />
      </Anchor>
    ),
  },
  { header: 'State', width: 150, render: (merge) => <State isOver={isOver(merge)} doing="Moving" /> },
  { header: 'Customer', render: ({ profile_id }) => <CustomerLink id={profile_id} /> },
  {
    header: 'Merged into them',
    width: 180,
    render: ({ from }) => (
      <Text size="sm" ff="monospace">
        …{from.slice(-8)}
      </Text>
    ),
  },
];

/** Customers who were erased and merged. */
export function Privacy() {
  const showsMerges = useAllows('profiles:read');
  return (
    <Page title="Privacy" description="Customers who were erased, with the proof, and customers who were merged.">
      <Erasures />
      {showsMerges && <Merges />}
    </Page>
  );
}

function Erasures() {
  const query = useRows('listErasures', { limit: PAGE }, ({ erasures }) => erasures, { refetchInterval: SELDOM_MS });
  return (
    <Section title="Erasures">
      <Restored />
      <Rows
        query={query}
        label="Erasures"
        columns={ERASURES}
        to={erasurePath}
        empty={
          <Empty
            icon={<ShieldLockIcon size={24} />}
            title="Nobody was erased"
            description="A customer who wants to be forgotten is erased on their own page."
          />
        }
      />
    </Section>
  );
}

/** In a copy in which the list of erasures was not done again. */
function Restored() {
  const { data } = useOperation('listErasures', { limit: 1 });
  if (!data?.restored_at) return null;
  return (
    <Alert color="yellow" icon={<AlertIcon />} title="Restored without the list of erasures" role="status" mb="md">
      This store was restored from a backup <Time value={data.restored_at} />. Customers who were erased after the
      backup may be here again, until the operator has the erasures done again by the command “erase redo”.
    </Alert>
  );
}

function Merges() {
  const query = useRows('listMerges', { limit: PAGE }, ({ merges }) => merges, { refetchInterval: SELDOM_MS });
  return (
    <Section title="Merges">
      <Rows
        query={query}
        label="Merges"
        columns={MERGES}
        to={mergePath}
        empty={
          <Empty
            title="Nobody was merged"
            description="Customers are never merged by themselves. Two who are the same person are merged on the page of the one who stays."
          />
        }
      />
    </Section>
  );
}
