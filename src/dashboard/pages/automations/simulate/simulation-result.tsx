import { Alert, Badge, Code, List, Stack, Text, Title } from '@mantine/core';
import type { Simulation } from '../../../../client/index.ts';
import { Time } from '../../../components/time.tsx';
import { colorOf } from '../../../components/words-of.ts';
import type { AutomationDefinition } from '../../../definitions.ts';
import { RunTimeline } from '../runs/timeline.tsx';
import { SkipWords } from '../skip-words.tsx';
import { endWords, RUN_COLORS } from '../words/reasons.ts';
import { Effects } from './effects.tsx';

/** What would happen, in simulated time. */
export function SimulationResult({
  simulation: { entry, run, timeline, effects, truncated, profile_as_of, notes },
  definition,
}: {
  simulation: Simulation;
  definition: AutomationDefinition | undefined;
}) {
  return (
    <Stack component="section" aria-label="Result of the simulation">
      <Title order={3}>What would happen</Title>
      {run ? (
        <Text size="sm" component="div">
          <Badge color={colorOf(RUN_COLORS, run.status)}>{run.status}</Badge> {run.reason && endWords(run.reason)}
          {run.ended_at && (
            <>
              , <Time value={run.ended_at} />
            </>
          )}
        </Text>
      ) : (
        <SkipWords reason={entry.reason} detail={entry.detail} />
      )}
      {timeline.length > 0 && (
        <RunTimeline timeline={timeline} definition={definition} label="Timeline of the simulation" />
      )}
      {effects.length > 0 && (
        <>
          <Title order={3}>What it would do</Title>
          <Effects effects={effects} />
        </>
      )}
      {truncated && (
        <Alert color="yellow" role="status">
          It would go on: a simulation shows 500 entries at most.
        </Alert>
      )}
      {notes.length > 0 && (
        <List size="sm" aria-label="Notes">
          {notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      )}
      <Text size="xs" c="dimmed">
        With the customer as known at <Time value={profile_as_of} />. {definition && <Code>{definition.name}</Code>}
      </Text>
    </Stack>
  );
}
