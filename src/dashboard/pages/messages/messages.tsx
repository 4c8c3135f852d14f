import { Button, Group } from '@mantine/core';
import { MailIcon, PaperAirplaneIcon } from '@primer/octicons-react';
import type { Arguments, Message } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { OpenButton } from '../../components/open-button.tsx';
import { Page } from '../../components/page.tsx';
import { Listed } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { TimeInput } from '../../components/time-input.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { useFilters } from '../../use-filters.ts';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { SenderSelect } from '../senders/sender-select.tsx';
import { TemplateSelect } from '../templates/template-select.tsx';
import { Earned } from './earned.tsx';
import { MessageTable } from './message-table.tsx';
import { SendMessage } from './send-message.tsx';
import { MESSAGE_COLORS } from './words.ts';

/** Milliseconds. */
const REFRESH_MS = 5_000;
const PAGE = 25;
const STATUSES = Object.keys(MESSAGE_COLORS);
const NAMES = ['status', 'template_id', 'sender_id', 'from', 'to'] as const;
const NONE = { status: undefined, template_id: undefined, sender_id: undefined, from: undefined, to: undefined };

const CUSTOMER: Column<Message> = {
  header: 'Customer',
  render: ({ profile_id }) => <CustomerLink id={profile_id} />,
};

/** What customers were sent, are to be sent, or were not sent, and why. */
export function Messages() {
  const [filters, change] = useFilters(NAMES);
  const { template_id = '', sender_id = '', from = '', to = '' } = filters;
  const query = useRows(
    'listMessages',
    { limit: PAGE, ...(filters as Arguments<'listMessages'>) },
    ({ messages }) => messages,
    { refetchInterval: REFRESH_MS },
  );
  const maySend = useAllows('messages:send');
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Messages"
      description="What customers were sent, are to be sent, or were not sent, and why."
      actions={
        maySend && (
          <OpenButton text="Send a message" icon={<PaperAirplaneIcon />}>
            {(close) => <SendMessage onClose={close} />}
          </OpenButton>
        )
      }
    >
      <Earned />
      <Section title="Messages of this store">
        <Group gap="sm" align="flex-end" role="search" aria-label="Filter messages">
          <FilterSelect
            name="status"
            filters={filters}
            change={change}
            label="Status"
            placeholder="Any status"
            data={STATUSES}
            w={150}
          />
          <TemplateSelect
            placeholder="Any template"
            fits={({ use, version }) => use === 'message' && version !== null}
            value={template_id}
            onChange={(id) => change({ template_id: id })}
            clearable
            w={190}
          />
          <SenderSelect
            placeholder="Any sender"
            value={sender_id}
            onChange={(id) => change({ sender_id: id })}
            w={170}
          />
          <TimeInput label="From" value={from} onChange={(value) => change({ from: value })} w={200} />
          <TimeInput label="Until" value={to} onChange={(value) => change({ to: value })} w={200} />
          {isFiltered && (
            <Button variant="subtle" onClick={() => change(NONE)}>
              Clear
            </Button>
          )}
        </Group>
        <Listed
          query={query}
          unmatched={isFiltered && 'No messages match these filters'}
          empty={
            <Empty
              icon={<MailIcon size={24} />}
              title="No messages yet"
              description="Publish a template, then send it to a customer, or have an automation do so."
            />
          }
        >
          {(messages) => <MessageTable messages={messages} pages={query} first={CUSTOMER} />}
        </Listed>
      </Section>
    </Page>
  );
}
