import { Anchor, Badge, Code, Modal, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { AttributeChange, ProfileHistoryEntry } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { Rows } from '../../components/rows.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';

const PAGE = 20;

const COLUMNS: Column<ProfileHistoryEntry>[] = [
  { header: 'When', width: 225, render: ({ changed_at }) => <Time value={changed_at} /> },
  { header: 'Change', render: (entry) => <Changes entry={entry} /> },
  {
    header: 'By',
    width: 260,
    render: ({ source: { surface, operation, actor, actor_name } }) => (
      <Stack gap={4}>
        <Text size="sm">
          {operation} ({surface})
        </Text>
        {actor_name ? <Text size="sm">{actor_name}</Text> : actor && <Code>{actor}</Code>}
      </Stack>
    ),
  },
];

/** What has changed of a customer, in a store that keeps it, the latest first. */
export function CustomerHistory({ profileId, onClose }: { profileId: string; onClose: () => void }) {
  const query = useRows('listProfileHistory', { id: profileId, limit: PAGE }, ({ changes }) => changes);
  return (
    <Modal opened onClose={onClose} size="xl" title="History of the customer">
      <Rows
        query={query}
        label="Changes of the customer"
        columns={COLUMNS}
        minWidth={700}
        empty={
          <Empty
            title="Nothing is kept"
            action={
              <Anchor component={Link} to="/settings/store">
                Settings say whether the store keeps a history
              </Anchor>
            }
          />
        }
      />
    </Modal>
  );
}

function Changes({ entry: { created, attributes, identifiers } }: { entry: ProfileHistoryEntry }) {
  return (
    <Stack gap={4} align="flex-start">
      {created && <Badge color="green">new customer</Badge>}
      {identifiers.gained.map(({ kind, value }) => (
        <Text size="sm" key={`+${kind}${value}`}>
          found by {kind} <Code>{value}</Code>
        </Text>
      ))}
      {identifiers.lost.map(({ kind, value }) => (
        <Text size="sm" key={`-${kind}${value}`}>
          no longer found by {kind} <Code>{value}</Code>
        </Text>
      ))}
      {Object.entries(attributes).map(([name, change]) => (
        <Text size="sm" key={name}>
          {name}: {inWords(change)}
        </Text>
      ))}
    </Stack>
  );
}

function inWords({ from, to }: AttributeChange): string {
  if (from === undefined) return JSON.stringify(to);
  return `${JSON.stringify(from)} → ${to === undefined ? 'removed' : JSON.stringify(to)}`;
}
