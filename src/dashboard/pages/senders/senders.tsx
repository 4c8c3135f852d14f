import { Badge, Checkbox, Stack, Text } from '@mantine/core';
import type { Sender } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { OpenButton } from '../../components/open-button.tsx';
import { Page } from '../../components/page.tsx';
import { NameLink } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { useFilters } from '../../use-filters.ts';
import { MessageSettings } from './message-settings.tsx';
import { SaveSender } from './save-sender.tsx';
import { SenderState } from './sender-state.tsx';
import { senderPath } from './use-senders.ts';
import { CLASS_WORDS } from './words.ts';

const COLUMNS: readonly Column<Sender>[] = [
  {
    header: 'Name',
    isWholeLine: true,
    render: ({ id, name, from_email }) => (
      <Stack gap={2}>
        <NameLink to={senderPath(id)}>{name}</NameLink>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {from_email}
        </Text>
      </Stack>
    ),
  },
  { header: 'Kind', width: 100, render: ({ kind }) => <Badge color="gray">{kind}</Badge> },
  { header: 'Sends', width: 180, render: (sender) => wordsOf(CLASS_WORDS, sender.class) },
  { header: 'State', width: 320, isWholeLine: true, render: (sender) => <SenderState sender={sender} /> },
];

/** Whom messages come from, and what the store says of all of them. */
export function Senders() {
  const [{ deleted }, change] = useFilters(['deleted']);
  const query = useRows('listSenders', deleted ? {} : { deleted: false }, ({ senders }) => senders);
  const maySend = useAllows('messages:send');
  return (
    <Page
      title="Senders"
      description="Whom messages come from, and how they leave."
      actions={maySend && <OpenButton text="Create a sender">{(close) => <SaveSender onClose={close} />}</OpenButton>}
    >
      <Section
        title="Senders of this store"
        actions={
          <Checkbox
            label="Deleted, too"
            checked={deleted !== undefined}
            onChange={({ currentTarget }) => change({ deleted: currentTarget.checked ? 'true' : undefined })}
          />
        }
      >
        <Loaded query={query}>
          {(senders) => (
            <DataTable
              label="Senders"
              columns={COLUMNS}
              rows={senders}
              rowKey={({ id }) => id}
              rowTo={({ id }) => senderPath(id)}
              pages={query}
              minWidth={760}
            />
          )}
        </Loaded>
      </Section>
      <MessageSettings />
    </Page>
  );
}
