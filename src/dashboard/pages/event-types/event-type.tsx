import { Anchor, DataList, Group, Select, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link, useParams } from 'react-router';
import { type EventTypeReport, FootfallError } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { RangePicker } from '../../range/range-picker.tsx';
import { useRange } from '../../range/use-range.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { useFilters } from '../../use-filters.ts';
import { EventTable } from '../events/event-table.tsx';
import { Properties } from './properties.tsx';
import { TopCustomers } from './top-customers.tsx';
import { peopleOf, sumWords } from './words.ts';

/** Charts are the most of the page's code, so that the numbers are there before them. */
const Trend = lazy(async () => ({ default: (await import('./trend.tsx')).Trend }));

/** One type of events: how often it happened, what its properties are, and who did it most. */
export function EventType() {
  const { eventType = '' } = useParams();
  const range = useRange();
  const [{ property }, setFilters] = useFilters(['property']);
  const query = useOperation(
    'getEventType',
    { event_type: eventType, from: range.first, to: range.last, ...(property && { property }) },
    { staleTime: 60_000 },
  );
  const all = (
    <Anchor component={Link} to="/event-types" inherit underline="always">
      All event types
    </Anchor>
  );
  if (query.error instanceof FootfallError && query.error.code === 'not_found') {
    return (
      <Page title="Event type">
        <Empty title="There are no events of this type" action={all} />
      </Page>
    );
  }
  return (
    <Page title={eventType} description={all} actions={<RangePicker range={range} />}>
      <Loaded query={query} loading={<Skeleton h={360} />}>
        {(report) => (
          <>
            <InBrief report={report} />
            <ByDay report={report} />
            <Section
              title="Properties"
              actions={
                <PropertySelect
                  report={report}
                  property={property}
                  onChange={(name) => setFilters({ property: name })}
                />
              }
            >
              <Properties report={report} />
            </Section>
            <TopCustomers report={report} />
          </>
        )}
      </Loaded>
      <Latest eventType={eventType} />
    </Page>
  );
}

function InBrief({ report: { event_count, profile_count, last_seen_at, sum, sample } }: { report: EventTypeReport }) {
  return (
    <Section title="In brief">
      <DataList>
        <Item label="Events">{count(event_count)}</Item>
        <Item label="Customers">{peopleOf(profile_count)}</Item>
        {sum && (
          <Item label="Sum">
            {`${sumWords(sum.sum)}, of ${count(sum.event_count)} events`}
            {!sample.is_complete && ` among the latest ${count(sample.event_count)}`}
          </Item>
        )}
        <Item label="Last seen">{last_seen_at === null ? '—' : <Time value={last_seen_at} />}</Item>
      </DataList>
    </Section>
  );
}

function ByDay({ report: { event_type, days, from, to } }: { report: EventTypeReport }) {
  const file = {
    name: `${event_type}-${from}-${to}.csv`,
    header: ['date', 'event_count'],
    async *rows() {
      for (const { date, event_count } of days) yield [date, event_count];
    },
  };
  return (
    <Section title="By day" actions={<CsvButton file={file} />}>
      <Suspense fallback={<Skeleton h={220} />}>
        <Trend days={days} />
      </Suspense>
    </Section>
  );
}

/** Which property's numbers are added up: one of those that are numbers, or texts that may be. */
function PropertySelect({
  report: { properties },
  property,
  onChange,
}: {
  report: EventTypeReport;
  property: string | undefined;
  onChange: (name: string | undefined) => void;
}) {
  const names = properties
    .filter(({ types }) => types.includes('number') || types.includes('string'))
    .map(({ name }) => name);
  const known = property === undefined || names.includes(property) ? names : [property, ...names];
  return (
    <Group gap="xs">
      <Select
        aria-label="Add up"
        placeholder="Add up a property"
        size="xs"
        clearable
        clearButtonProps={{ 'aria-label': 'Add up nothing' }}
        // As the contract takes them.
        data={known.filter((name) => name !== '' && name.length <= 128)}
        value={property ?? null}
        onChange={(name) => onChange(name ?? undefined)}
      />
    </Group>
  );
}

const LATEST = 10;

function Latest({ eventType }: { eventType: string }) {
  const mayRead = useAllows('events:read');
  const query = useOperation('listEvents', { event_type: eventType, limit: LATEST }, { enabled: mayRead });
  if (!mayRead) return null;
  return (
    <Section title="Latest events">
      <Loaded query={query}>{({ events }) => <EventTable events={events} pages={undefined} />}</Loaded>
    </Section>
  );
}
