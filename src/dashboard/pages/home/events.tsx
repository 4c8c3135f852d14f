import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { EventStats } from '../../../client/index.ts';
import { useRefresh } from '../../api/use-refresh.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { daysWords } from '../../range/range.ts';
import { ByType } from './by-type.tsx';
import { Totals } from './totals.tsx';
import { useStats } from './use-stats.ts';

/** The most of the page's code, so that the numbers are there before it. */
const EventChart = lazy(async () => ({ default: (await import('./event-chart.tsx')).EventChart }));

/** What customers did in the range of the address, over time and by type. */
export function Events() {
  const { range, interval, stats, before } = useStats();
  const days = range.label ?? daysWords(range);
  useRefresh({ byEvents: ['getEventStats'] });
  return (
    <>
      <Section title="Events over time" actions={stats.data && <CsvButton file={overTime(stats.data)} />}>
        <Loaded query={stats} loading={<Skeleton h={360} />}>
          {(found) => (
            <>
              <Totals stats={found} interval={interval} range={days} before={before} />
              {found.total === 0 ? (
                <Empty title={`No events: ${days}`} />
              ) : (
                <Suspense fallback={<Skeleton h={300} />}>
                  <EventChart stats={found} interval={interval} />
                </Suspense>
              )}
            </>
          )}
        </Loaded>
      </Section>
      <Section title="By type" actions={stats.data && <CsvButton file={byType(stats.data)} />}>
        <Loaded query={stats}>{(found) => <ByType stats={found} />}</Loaded>
      </Section>
    </>
  );
}

const OTHERS = 'All other types';

function overTime({ buckets, series, interval }: EventStats) {
  return {
    name: 'events.csv',
    header: [String(interval), 'event_type', 'event_count'],
    async *rows() {
      for (const [n, start] of buckets.entries()) {
        for (const { event_type, counts } of series) yield [start, event_type ?? OTHERS, counts[n] ?? 0];
      }
    },
  };
}

function byType({ series }: EventStats) {
  return {
    name: 'event-types.csv',
    header: ['event_type', 'event_count'],
    async *rows() {
      for (const { event_type, total } of series) yield [event_type ?? OTHERS, total];
    },
  };
}
