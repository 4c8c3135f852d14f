import { Badge, Timeline as MantineTimeline, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConsentChange, Event, Message } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { LoadMore, type Pages } from '../../components/load-more.tsx';
import { NameLink } from '../../components/rows.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { summaryOf } from '../events/summary.ts';
import { listPath } from '../lists/use-lists.ts';
import { messagePath } from '../messages/use-messages.ts';
import { MESSAGE_COLORS } from '../messages/words.ts';
import { useTemplates } from '../templates/use-templates.ts';
import { CHANNEL_NAMES, KIND_WORDS } from './consent-words.ts';

const PAGE = 20;
/** Milliseconds. */
const REFRESH_MS = 10_000;

/** Something of a timeline: what, where it leads, when, and what else there is to say. */
interface Entry {
  id: string;
  title: string;
  to?: string;
  at: string;
  more?: ReactNode;
}

/** What a customer did, by the events of a kind, or by all of them. */
export function EventTimeline({ profileId, kind }: { profileId: string; kind: 'orders' | 'site' | undefined }) {
  const args = { id: profileId, limit: PAGE, ...(kind && { kind }) };
  const query = useRows('listProfileEvents', args, ({ events }) => events, { refetchInterval: REFRESH_MS });
  const toEntry = ({ id, event_type, occurred_at, properties }: Event): Entry => ({
    ...{ id, title: event_type, to: `/events/${id}`, at: occurred_at },
    more: summaryOf(properties),
  });
  return (
    <Loaded query={query}>
      {(events) => (
        <Entries label="Events" empty="No events for this customer" entries={events.map(toEntry)} pages={query} />
      )}
    </Loaded>
  );
}

/** What a customer was sent, or was not sent. */
export function MessageTimeline({ profileId }: { profileId: string }) {
  const query = useRows('listProfileMessages', { id: profileId, limit: PAGE }, ({ messages }) => messages);
  const templates = useTemplates();
  const toEntry = ({ id, template_id, status, created_at, why_not }: Message): Entry => ({
    id,
    title:
      template_id === null
        ? 'Please confirm'
        : (templates?.find((template) => template.id === template_id)?.name ?? 'A message'),
    to: messagePath(id),
    at: created_at,
    more: (
      <>
        <Badge color={colorOf(MESSAGE_COLORS, status)}>{status}</Badge> {why_not?.explanation}
      </>
    ),
  });
  return (
    <Loaded query={query}>
      {(messages) => (
        <Entries
          label="Messages sent"
          empty="This customer was sent none"
          entries={messages.map(toEntry)}
          pages={query}
        />
      )}
    </Loaded>
  );
}

/** What a customer has chosen, and what was chosen for them. */
export function ConsentTimeline({ profileId }: { profileId: string }) {
  const query = useRows('listProfileConsentChanges', { id: profileId, limit: PAGE }, ({ changes }) => changes);
  const toEntry = ({ id, channel, kind, changed_at, source, reason, applied }: ConsentChange): Entry => ({
    id,
    title: `${wordsOf(KIND_WORDS, kind)}, ${wordsOf(CHANNEL_NAMES, channel)}`,
    at: changed_at,
    more: [source, reason, !applied && 'without effect'].filter(Boolean).join(', '),
  });
  return (
    <Loaded query={query}>
      {(changes) => (
        <Entries
          label="Changes of the consent"
          empty="Nothing was recorded yet"
          entries={changes.map(toEntry)}
          pages={query}
        />
      )}
    </Loaded>
  );
}

/** When a customer joined the lists that they are in. */
export function ListTimeline({ profileId }: { profileId: string }) {
  const query = useRows('listProfileLists', { id: profileId, limit: PAGE }, ({ lists }) => lists);
  return (
    <Loaded query={query}>
      {(lists) => (
        <Entries
          label="Lists joined"
          empty="This customer is in none"
          entries={lists.map(({ id, name, joined_at }) => ({
            id,
            title: `Joined ${name}`,
            to: listPath(id),
            at: joined_at,
          }))}
          pages={query}
        />
      )}
    </Loaded>
  );
}

function Entries({
  label,
  empty,
  entries,
  pages,
}: {
  label: string;
  empty: string;
  entries: readonly Entry[];
  pages: Pages;
}) {
  // A page may be empty although more follow.
  if (entries.length === 0 && !pages.hasNextPage) return <Empty title={empty} />;
  return (
    <>
      <MantineTimeline bulletSize={14} lineWidth={2} role="list" aria-label={label}>
        {entries.map(({ id, title, to, at, more }) => (
          <MantineTimeline.Item
            key={id}
            role="listitem"
            title={
              to === undefined ? (
                <Text size="sm" fw={500}>
                  {title}
                </Text>
              ) : (
                <NameLink to={to}>{title}</NameLink>
              )
            }
          >
            <Text c="dimmed" size="sm">
              <Time value={at} />
            </Text>
            <Text size="sm" lineClamp={2} component="div">
              {more}
            </Text>
          </MantineTimeline.Item>
        ))}
      </MantineTimeline>
      <LoadMore pages={pages} />
    </>
  );
}
