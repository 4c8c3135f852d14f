import { SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useOperation } from '../../api/operations.ts';
import { useStream } from '../../api/use-stream.ts';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { useAllows } from '../../session/current-key.tsx';
import { useTimeZone } from '../../session/time-zone.ts';
import { useFilters } from '../../use-filters.ts';
import { AutomationsInBrief } from './automations-in-brief.tsx';
import { ByType } from './by-type.tsx';
import { Earnings } from './earnings.tsx';
import { Health } from './health.tsx';
import { RateLimits } from './rate-limits.tsx';
import { Refusals } from './refusals.tsx';
import { Totals } from './totals.tsx';

/** The most of the page's code, so that the numbers are there before it. */
const EventChart = lazy(async () => ({ default: (await import('./event-chart.tsx')).EventChart }));

/** Each is as long as the service takes for its interval by itself. */
const RANGES = [
  { value: 'hour', label: '24 hours' },
  { value: 'day', label: '30 days' },
  { value: 'week', label: '12 weeks' },
  { value: 'month', label: '12 months' },
] as const;
type Interval = (typeof RANGES)[number]['value'];

/** Milliseconds between two readings while events arrive. */
const REFRESH_MS = 2_000;

/** The counts for the range in the address. */
export function useStats() {
  const [{ interval: asked }, setFilters] = useFilters(['interval']);
  const { value: interval, label } = RANGES.find(({ value }) => value === asked) ?? RANGES[1];
  const time_zone = useTimeZone();
  const stats = useOperation('getEventStats', { interval, time_zone }, { refetchInterval: 60_000 });
  return { interval, label, stats, choose: (chosen: Interval) => setFilters({ interval: chosen }) };
}

export function Figures() {
  const { interval, label, stats, choose } = useStats();
  const seesRevenue = useAllows('reports:read');
  useRefresh();

  return (
    <Stack gap="lg">
      {seesRevenue && <Earnings />}
      <Section
        title="Events over time"
        actions={
          <SegmentedControl
            aria-label="Time range"
            size="xs"
            withItemsBorders={false}
            data={[...RANGES]}
            value={interval}
            onChange={(value) => choose(value as Interval)}
          />
        }
      >
        <Loaded query={stats} loading={<Skeleton h={360} />}>
          {(found) => (
            <>
              <Totals stats={found} range={label} />
              {found.total === 0 ? (
                <Empty title={`No events in the last ${label}`} />
              ) : (
                <Suspense fallback={<Skeleton h={300} />}>
                  <EventChart stats={found} />
                </Suspense>
              )}
            </>
          )}
        </Loaded>
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack gap="lg">
          <Section title="By type">
            <Loaded query={stats}>{(found) => <ByType stats={found} />}</Loaded>
          </Section>
          <Refusals />
        </Stack>
        <Stack gap="lg">
          <AutomationsInBrief />
          <RateLimits />
          <Health />
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}

/** Reads the figures again when something happens in the store, now and then. */
function useRefresh(): void {
  const queryClient = useQueryClient();
  const isDue = useRef({ getEventStats: false, listRejections: false });
  useStream({
    onOpen: () => {
      isDue.current = { getEventStats: true, listRejections: true };
    },
    onMessage: ({ event }) => {
      if (event !== 'rejection') isDue.current.getEventStats = true;
      if (event !== 'event') isDue.current.listRejections = true;
    },
  });
  useEffect(() => {
    const timer = setInterval(() => {
      for (const id of ['getEventStats', 'listRejections'] as const) {
        if (isDue.current[id]) void queryClient.invalidateQueries({ queryKey: [id] });
        isDue.current[id] = false;
      }
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [queryClient]);
}
