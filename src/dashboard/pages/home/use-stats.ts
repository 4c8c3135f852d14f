import { useOperation } from '../../api/operations.ts';
import { addDays, startIn } from '../../range/days.ts';
import { daysWords, intervalOf } from '../../range/range.ts';
import { useRange } from '../../range/use-range.ts';

const HOUR_MS = 60 * 60 * 1000;

/** How many events there were in the time that a range is compared with. */
export interface Before {
  label: string;
  total: number;
}

/** The counts for the range in the address, and what it is compared with; of who may read events. */
export function useStats(enabled = true) {
  const range = useRange();
  const { first, last, today, timeZone: time_zone } = range;
  const at = (ms: number) => new Date(ms).toISOString();
  const startOf = (day: string) => startIn(time_zone, day);
  const interval = intervalOf(range);
  const stats = useOperation(
    'getEventStats',
    {
      // By days if not by hours: the service would widen a range to whole weeks or months.
      interval: interval === 'hour' ? 'hour' : 'day',
      time_zone,
      from: at(startOf(first)),
      ...(last < today && { to: at(startOf(addDays(last, 1))) }),
    },
    { enabled, refetchInterval: 60_000 },
  );
  const before = useBefore({ ...range, compared: enabled ? range.compared : undefined, startOf, at });
  return { range, interval, stats, before };
}

/** A range that has not ended is compared with as much of the other one: its last day counts up to the same hour, begun. */
function useBefore({
  last,
  today,
  timeZone: time_zone,
  compared,
  startOf,
  at,
}: Pick<ReturnType<typeof useRange>, 'last' | 'today' | 'timeZone' | 'compared'> & {
  startOf: (day: string) => number;
  at: (ms: number) => string;
}): Before | undefined {
  const days = compared ?? { first: last, last };
  const isUnderWay = last === today;
  const wholeEnd = isUnderWay ? days.last : addDays(days.last, 1);
  const hours = Math.ceil((Date.now() - startOf(today)) / HOUR_MS);
  const whole = useOperation(
    'getEventStats',
    { interval: 'day', time_zone, from: at(startOf(days.first)), to: at(startOf(wholeEnd)) },
    { enabled: compared !== undefined && days.first < wholeEnd },
  );
  const part = useOperation(
    'getEventStats',
    {
      interval: 'hour',
      time_zone,
      from: at(startOf(days.last)),
      to: at(startOf(days.last) + Math.max(hours, 1) * HOUR_MS),
    },
    { enabled: compared !== undefined && isUnderWay },
  );
  const needed = [...(days.first < wholeEnd ? [whole.data] : []), ...(isUnderWay ? [part.data] : [])];
  if (compared === undefined || needed.includes(undefined)) return undefined;
  return { label: daysWords(days), total: needed.reduce((sum, found) => sum + (found?.total ?? 0), 0) };
}
