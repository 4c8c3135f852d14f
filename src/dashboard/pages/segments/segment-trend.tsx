import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { Group } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { useOperation } from '../../api/operations.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { count } from '../../components/numbers.ts';
import { rowsFile } from '../../components/rows-file.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { RangePicker } from '../../range/range-picker.tsx';
import { useRange } from '../../range/use-range.ts';

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** How many members there were at the end of each day of a range. */
export function SegmentTrend({ segmentId }: { segmentId: string }) {
  const range = useRange();
  const query = useOperation('getSegmentStats', { id: segmentId, from: range.first, to: range.last });
  const isStill = useReducedMotion();
  return (
    <Section
      title="Members by day"
      actions={
        <Group gap="sm">
          <RangePicker range={range} />
          {query.data && <CsvButton file={rowsFile(`members-${range.first}-${range.last}`, query.data.days)} />}
        </Group>
      }
    >
      <Loaded query={query}>
        {({ days }) => (
          <LineChart
            h={220}
            data={days.map(({ date, member_count }) => ({ at: day.format(new Date(date)), members: member_count }))}
            dataKey="at"
            series={[{ name: 'members', label: 'Members', color: 'blue.6' }]}
            valueFormatter={count}
            yAxisProps={{ allowDecimals: false, width: 56 }}
            xAxisProps={{ minTickGap: 24 }}
            lineProps={{ isAnimationActive: !isStill }}
            withDots={days.length < 2}
            aria-label={`Members from ${days[0]?.date} to ${days.at(-1)?.date}; now ${count(days.at(-1)?.member_count ?? 0)}`}
            role="figure"
          />
        )}
      </Loaded>
    </Section>
  );
}
