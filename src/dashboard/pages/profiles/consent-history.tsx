import { Badge, Code, Modal, Stack, Text } from '@mantine/core';
import type { ConsentChange } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { Rows } from '../../components/rows.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { CHANNEL_NAMES, KIND_WORDS } from './consent-words.ts';

const PAGE = 20;

const COLUMNS: Column<ConsentChange>[] = [
  {
    header: 'Change',
    render: ({ kind, list_id, applied }) => (
      <Stack gap={4} align="flex-start">
        <Text size="sm">
          {KIND_WORDS[kind]}
          {list_id && (
            <>
              , list <Code>{list_id}</Code>
            </>
          )}
        </Text>
        {!applied && <Badge color="gray">without effect</Badge>}
      </Stack>
    ),
  },
  { header: 'Channel', width: 130, render: ({ channel }) => wordsOf(CHANNEL_NAMES, channel) },
  { header: 'Source', render: ({ source, reason }) => [source, reason].filter(Boolean).join(', ') || '–' },
  { header: 'Chosen', width: 225, render: ({ changed_at }) => <Time value={changed_at} /> },
  { header: 'Recorded', width: 225, render: ({ recorded_at }) => <Time value={recorded_at} /> },
];

/** Everything that was recorded about the consent of a customer, the latest first. */
export function ConsentHistory({ profileId, onClose }: { profileId: string; onClose: () => void }) {
  const query = useRows('listProfileConsentChanges', { id: profileId, limit: PAGE }, ({ changes }) => changes);
  return (
    <Modal opened onClose={onClose} size="xl" title="History of the consent">
      <Rows
        query={query}
        label="Changes of the consent"
        columns={COLUMNS}
        minWidth={700}
        empty={<Empty title="Nothing was recorded yet" />}
      />
    </Modal>
  );
}
