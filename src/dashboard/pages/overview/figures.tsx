import { Group, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useStream } from '../../api/use-stream.ts';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { daysWords } from '../../range/range.ts';
import { RangePicker } from '../../range/range-picker.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { AutomationsInBrief } from './automations-in-brief.tsx';
import { ByType } from './by-type.tsx';
import { Earnings } from './earnings.tsx';
import { Health } from './health.tsx';
import { RateLimits } from './rate-limits.tsx';
import { Refusals } from './refusals.tsx';
import { Totals } from './totals.tsx';
import { useStats } from './use-stats.ts';

/** The most of the page's code, so that the numbers are there before it. */
const EventChart = lazy(async () => ({ default: (await import('./event-chart.tsx')).EventChart }));

/** Milliseconds between two readings while events arrive. */
const REFRESH_MS = 2_000;

export function Figures() {
  const { range, interval, stats, before } = useStats();
  const days = range.label ?? daysWords(range);
  const seesRevenue = useAllows('reports:read');
  useRefresh();

  return (
    <Stack gap="lg">
      <Group justify="flex-end">
        <RangePicker range={range} isCompared />
      </Group>
      {seesRevenue && <Earnings range={range} />}
      <Section title="Events over time">
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
