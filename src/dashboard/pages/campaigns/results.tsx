import { Alert, Anchor, Group, Select, Stack, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { Arguments, Campaign, CampaignMessageCount, CampaignStats } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useOperation, useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count, share } from '../../components/numbers.ts';
import { Listed } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useLedTo } from '../../components/use-led-to.ts';
import { wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { useFilters } from '../../use-filters.ts';
import { MessageTable } from '../messages/message-table.tsx';
import { Revenue } from '../messages/revenue.tsx';
import { Unknown } from '../messages/unknown-fate.tsx';
import { whyNotWords } from '../messages/why-not.ts';
import { MESSAGE_COLORS } from '../messages/words.ts';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { DomainResults } from './domain-results.tsx';
import { HoldOutResults } from './hold-out-results.tsx';
import { LinkResults } from './link-results.tsx';
import { Resend } from './resend.tsx';
import { useRefreshCampaigns } from './use-campaigns.ts';
import { VariantResults } from './variant-results.tsx';
import { REASON_WORDS } from './words.ts';

/** Milliseconds. */
const REFRESH_MS = 5_000;
/** Of an address that leads to the messages. */
const MESSAGES = '#messages';

/** What became of a campaign. */
export function Results({ campaign }: { campaign: Campaign }) {
  const query = useOperation('getCampaignStats', { id: campaign.id }, { refetchInterval: REFRESH_MS });
  const mayRead = useAllows('profiles:read');
  return (
    <>
      <Section title="Results" actions={<Resend campaign={campaign} />}>
        <Loaded query={query}>
          {(stats) => (
            <>
              {stats.why_not && (
                <Alert color="yellow" icon={<AlertIcon />} title="Nothing is sent at the moment" role="status">
                  {whyNotWords(stats.why_not)}
                </Alert>
              )}
              <UnknownFates id={campaign.id} messages={countOf(stats, ['unknown'])} />
              <Funnel stats={stats} />
              <Zones stats={stats} />
              {stats.counted_at !== null && (
                <Text size="xs" c="dimmed">
                  Counted <Time value={stats.counted_at} />
                </Text>
              )}
              <VariantResults campaign={campaign} stats={stats} />
              <Reasons title="Skipped" messages={stats.messages.filter(({ status }) => status === 'skipped')} />
              <Reasons
                title="Failed"
                messages={stats.messages.filter(({ status }) => status === 'failed' || status === 'bounced')}
              />
            </>
          )}
        </Loaded>
      </Section>
      {query.data && campaign.started_at !== null && (
        <Section title="Revenue">
          <Revenue revenue={query.data.revenue} />
        </Section>
      )}
      {query.data?.hold_out && <HoldOutResults holdOut={query.data.hold_out} />}
      {query.data && <LinkResults campaign={campaign} links={query.data.links} />}
      {query.data && <DomainResults domains={query.data.domains} />}
      {mayRead && <Messages id={campaign.id} />}
    </>
  );
}

function countOf({ messages }: CampaignStats, statuses: readonly unknown[]): number {
  return messages.filter(({ status }) => statuses.includes(status)).reduce((sum, one) => sum + one.count, 0);
}

interface Line {
  what: string;
  messages: number;
  machines?: number;
}

const LINES: readonly Column<Line>[] = [
  { header: 'What', isWholeLine: true, render: ({ what }) => what },
  { header: 'Messages', width: 120, align: 'right', render: ({ messages }) => count(messages) },
];

/** From all recipients to those who did something with it. */
function Funnel({ stats }: { stats: CampaignStats }) {
  const handedOver = countOf(stats, ['sent', 'delivered', 'bounced', 'complained']);
  const lines: Line[] = [
    { what: 'Recipients', messages: stats.recipient_count },
    { what: 'Still to be sent', messages: countOf(stats, ['waiting', 'claimed', 'sending']) },
    { what: 'Handed over', messages: handedOver },
    { what: 'Arrived, as far as providers say', messages: countOf(stats, ['delivered']) },
    { what: 'Complained about', messages: countOf(stats, ['complained']) },
    { what: 'Opened, at most', messages: stats.opened_count, machines: stats.machine_opened_count },
    { what: 'Clicked', messages: stats.clicked_count, machines: stats.machine_clicked_count },
    { what: 'Cancelled', messages: countOf(stats, ['cancelled', 'expired']) },
  ];
  const columns: readonly Column<Line>[] = [
    ...LINES,
    {
      header: 'Share',
      width: 100,
      align: 'right',
      render: ({ messages, machines }) => share(messages, machines === undefined ? stats.recipient_count : handedOver),
    },
    {
      header: 'By programs',
      width: 130,
      align: 'right',
      render: ({ machines }) => (machines === undefined ? '–' : count(machines)),
    },
  ];
  return <DataTable label="Results" columns={columns} rows={lines} rowKey={({ what }) => what} minWidth={480} />;
}

/** For how many the default stood in. */
function Zones({
  stats: { without_time_zone_count: none, unknown_time_zone_count: unknown },
}: {
  stats: CampaignStats;
}) {
  if (none + unknown === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      For whom the default time zone stood in: {count(none)} without one, {count(unknown)} whose time zone does not
      exist.
    </Text>
  );
}

function Reasons({ title, messages }: { title: string; messages: readonly CampaignMessageCount[] }) {
  const mayRead = useAllows('profiles:read');
  if (messages.length === 0) return null;
  return (
    <Stack gap={4} role="group" aria-label={title}>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      {messages.map(({ status, reason, count: some }) => (
        <Text key={`${String(status)} ${reason}`} size="sm">
          {mayRead ? (
            <Anchor component={Link} to={messagesWith({ status, reason })} inherit underline="always">
              {wordsOf(REASON_WORDS, reason ?? String(status))}
            </Anchor>
          ) : (
            wordsOf(REASON_WORDS, reason ?? String(status))
          )}
          : {count(some)}
        </Text>
      ))}
    </Stack>
  );
}

/** Leads to those that are counted together. */
function messagesWith({ status, reason }: Pick<CampaignMessageCount, 'status' | 'reason'>): string {
  const filters = new URLSearchParams({ status: String(status), ...(reason !== null && { reason }) });
  return `?${filters}${MESSAGES}`;
}

/** Explains messages of which nobody knows whether they were sent, and has somebody decide about all of them. */
function UnknownFates({ id, messages }: { id: string; messages: number }) {
  const client = useClient();
  const refresh = useRefreshCampaigns();
  if (messages === 0) return null;
  const decide = async (unknown: 'resend' | 'leave') => {
    const { resolved_count } = await client.resolveCampaign({ id, unknown });
    return `Messages: ${count(resolved_count)}`;
  };
  return (
    <Unknown
      title={`Messages of which nobody knows whether they were sent: ${count(messages)}`}
      decide={decide}
      refresh={refresh}
      words={{ resend: 'Send them again', leave: 'Leave them' }}
    >
      The service ended while it handed them over: they may or may not have been sent. Sent again, some customers may
      get two.
    </Unknown>
  );
}

function Messages({ id }: { id: string }) {
  const [filters, change, choice] = useFilters(['status', 'reason']);
  const { reason } = filters;
  const filter = { id, ...filters } as Arguments<'listCampaignMessages'>;
  const query = useRows('listCampaignMessages', filter, ({ messages }) => messages, { refetchInterval: REFRESH_MS });
  return (
    <Section
      ref={useLedTo(MESSAGES)}
      title="Messages"
      actions={
        <Group gap="xs">
          {reason && (
            <Select
              {...choice('reason')}
              aria-label="Reason"
              data={[{ value: reason, label: wordsOf(REASON_WORDS, reason) }]}
              w={220}
            />
          )}
          <Select
            {...choice('status')}
            // A reason is one of a status.
            onChange={(status) => change({ status: status ?? undefined, reason: undefined })}
            aria-label="Status"
            placeholder="Any status"
            data={Object.keys(MESSAGE_COLORS)}
            w={160}
          />
        </Group>
      }
    >
      <Listed query={query} empty={<Empty title="There are none" />}>
        {(messages) => (
          <MessageTable
            messages={messages}
            pages={query}
            first={{ header: 'Customer', render: ({ profile_id }) => <CustomerLink id={profile_id} /> }}
          />
        )}
      </Listed>
    </Section>
  );
}
