import { List, Stack, Text } from '@mantine/core';
import type { Funnel, FunnelGroup, FunnelStep } from '../../../../client/index.ts';
import { CsvButton } from '../../../components/csv-button.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { secondsWords } from '../../../components/durations.ts';
import { count, share } from '../../../components/numbers.ts';
import { Section } from '../../../components/section.tsx';
import { Time } from '../../../components/time.tsx';
import { Bar } from '../bar.tsx';

/** What was counted: each step as a bar, and the values of the breakdown as a table. */
export function FunnelResult({ funnel }: { funnel: Funnel }) {
  const { steps, groups, sample, from, to, computed_at } = funnel;
  return (
    <>
      <Section title="Customers" actions={<CsvButton file={fileOf(funnel)} />}>
        <Text size="sm" c="dimmed">
          {sample === null
            ? 'All customers were looked at.'
            : `Estimated by ${count(sample.sampled_count)} of ${count(sample.profile_count)} customers, drawn by chance: the true numbers are between those in brackets with 95 %.`}{' '}
          First step from {from} to {to}; counted <Time value={computed_at} />.
        </Text>
        <List
          type="ordered"
          aria-label="Customers by step"
          listStyleType="none"
          spacing="md"
          styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
        >
          {steps.map((step, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step may be there twice.
            <List.Item key={n}>
              <StepBar number={n + 1} step={step} isSampled={sample !== null} />
            </List.Item>
          ))}
        </List>
      </Section>
      {groups.length > 0 && (
        <Section title="Breakdown">
          <DataTable
            label="Breakdown"
            file={null}
            columns={columnsOf(steps, sample !== null)}
            rows={groups}
            rowKey={({ value }) => JSON.stringify(value)}
          />
        </Section>
      )}
    </>
  );
}

type Estimate = FunnelStep['profiles'];

/** With the bounds, if it is estimated. */
function estimateWords(
  { estimate, low, high }: Estimate,
  isSampled: boolean,
  words: (value: number) => string,
): string {
  return isSampled ? `${words(estimate)} (${words(low)} to ${words(high)})` : words(estimate);
}

const percent = (value: number) => share(value, 1);

function StepBar({ number, step, isSampled }: { number: number; step: FunnelStep; isSampled: boolean }) {
  const { event_type, profiles, share_of_first, share_of_previous, median_seconds } = step;
  const parts = [
    ...(number > 1 && share_of_previous
      ? [`${estimateWords(share_of_previous, isSampled, percent)} of the step before`]
      : []),
    ...(number > 2 && share_of_first ? [`${estimateWords(share_of_first, isSampled, percent)} of the first`] : []),
    ...(median_seconds === null ? [] : [`half of them within ${secondsWords(median_seconds)}`]),
  ];
  return (
    <Stack gap={4}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {number}. <b>{event_type}</b>: {estimateWords(profiles, isSampled, count)}
        {parts.length > 0 && `, ${parts.join(', ')}`}
      </Text>
      <Bar share={share_of_first?.estimate ?? 0} />
    </Stack>
  );
}

function columnsOf(steps: readonly FunnelStep[], isSampled: boolean): Column<FunnelGroup>[] {
  return [
    { header: 'Value', isWholeLine: true, render: ({ value }) => value ?? 'Others, or none' },
    ...steps.map(
      ({ event_type }, n): Column<FunnelGroup> => ({
        header: `${n + 1}. ${event_type}`,
        align: 'right',
        render: (group) => {
          const { profiles, share_of_first } = group.steps[n] as FunnelStep;
          const words = estimateWords(profiles, isSampled, count);
          return n === 0 || !share_of_first ? words : `${words}, ${percent(share_of_first.estimate)}`;
        },
      }),
    ),
  ];
}

const ESTIMATES = ['profiles', 'share_of_first', 'share_of_previous'] as const;

function fileOf({ steps, groups, from, to }: Funnel) {
  const all: { isAll: boolean; value: string | null; steps: readonly FunnelStep[] }[] = [
    { isAll: true, value: null, steps },
    ...groups.map((group) => ({ isAll: false, ...group })),
  ];
  return {
    name: `funnel-${from}-${to}.csv`,
    header: [
      ...['customers', 'value', 'step', 'event_type'],
      ...ESTIMATES.flatMap((name) => [name, `${name}_low`, `${name}_high`]),
      'median_seconds',
    ],
    async *rows() {
      for (const { isAll, value, steps: own } of all) {
        for (const [n, step] of own.entries()) {
          const numbers = ESTIMATES.flatMap((name) => {
            const { estimate = null, low = null, high = null } = step[name] ?? {};
            return [estimate, low, high];
          });
          yield [
            isAll ? 'all' : value === null ? 'others' : 'group',
            value,
            n + 1,
            step.event_type,
            ...numbers,
            step.median_seconds,
          ];
        }
      }
    },
  };
}
