import { Grid, Group, List, Paper, SimpleGrid, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { AutomationStats } from '../../../client/index.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { count } from '../../components/numbers.ts';
import { rowsFile } from '../../components/rows-file.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { RangePicker } from '../../range/range-picker.tsx';
import type { ShownRange } from '../../range/use-range.ts';
import { endWords, skipWords } from './words/reasons.ts';

/** What an automation did in a range of days, which are those of UTC. */
export function Numbers({ query, range }: { query: UseQueryResult<AutomationStats>; range: ShownRange }) {
  return (
    <Section
      title="Numbers"
      actions={
        <Group gap="sm">
          <RangePicker range={range} />
          {query.data && <CsvButton file={rowsFile(`runs-${range.first}-${range.last}`, query.data.days)} />}
        </Group>
      }
    >
      {range.timeZone !== 'UTC' && (
        <Text size="xs" c="dimmed">
          These days are those of UTC.
        </Text>
      )}
      <Loaded query={query}>
        {({ entered, active, ended_by_reason: ended, failed, skipped, goal }) => (
          <>
            <SimpleGrid cols={{ base: 2, sm: 4 }} role="list" aria-label="Runs">
              <Figure label="Entered" value={entered} />
              <Figure label="Active now" value={active} />
              <Figure label="Ended" value={ended.reduce((sum, { count }) => sum + count, 0)} />
              <Figure label="Failed" value={failed} />
            </SimpleGrid>
            {goal && <Goal goal={goal} />}
            {(ended.length > 0 || skipped.length > 0) && (
              <Grid gap="lg">
                <Reasons title="Why runs ended" counts={ended.map(({ reason, count }) => [endWords(reason), count])} />
                <Reasons
                  title="Why customers did not enter"
                  counts={skipped.map(({ reason, count }) => [skipWords(reason), count])}
                />
              </Grid>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** How many runs have reached what they are for, by version where there are several. */
function Goal({ goal }: { goal: NonNullable<AutomationStats['goal']> }) {
  const words = ({ entered, reached, rate }: Pick<typeof goal, 'entered' | 'reached' | 'rate'>) =>
    `${count(reached)} of ${count(entered)} runs (${Math.round(rate * 1_000) / 10} %)`;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        Reached the goal: {words(goal)}
      </Text>
      {goal.versions.length > 1 && (
        <List size="sm" aria-label="Goal by version">
          {goal.versions.map((one) => (
            <List.Item key={one.version}>
              Version {one.version}: {words(one)}
            </List.Item>
          ))}
        </List>
      )}
    </div>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <Paper role="listitem" p="sm">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz="xl" fw={650}>
        {count(value)}
      </Text>
    </Paper>
  );
}

function Reasons({ title, counts }: { title: string; counts: [words: string, count: number][] }) {
  if (counts.length === 0) return null;
  return (
    <Grid.Col span={{ base: 12, sm: 6 }}>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <List size="sm" aria-label={title}>
        {counts.map(([words, amount]) => (
          <List.Item key={words}>
            {count(amount)}: {words}
          </List.Item>
        ))}
      </List>
    </Grid.Col>
  );
}
