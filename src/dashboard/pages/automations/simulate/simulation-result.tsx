import { Alert, Badge, Code, List, Stack, Text, Title } from '@mantine/core';
import type { AutomationDefinition, Simulation } from '../../../../client/index.ts';
import { Time } from '../../../components/time.tsx';
import { RunTimeline } from '../runs/timeline.tsx';
import { SkipWords } from '../skip-words.tsx';
import { valueWords } from '../words/conditions.ts';
import { endWords, RUN_COLORS } from '../words/reasons.ts';

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
          <Badge color={RUN_COLORS[run.status]}>{run.status}</Badge> {run.reason && endWords(run.reason)}
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
          <List size="sm" aria-label="Effects">
            {effects.map((effect) => (
              <List.Item key={`${effect.step_id} ${effect.at}`} style={{ overflowWrap: 'anywhere' }}>
                <Time value={effect.at} />: {effectWords(effect)}
              </List.Item>
            ))}
          </List>
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

function effectWords(effect: Simulation['effects'][number]): string {
  const values = (of: object) =>
    Object.entries(of)
      .map(([name, value]) => `${name} ${valueWords(value)}`)
      .join(', ');
  if (effect.type === 'send_webhook') return `send ${effect.message_type} ${values(effect.data)}`;
  if (effect.type === 'emit_event') return `record ${effect.event_type} ${values(effect.properties)}`;
  const unset = effect.unset.length > 0 ? [`remove ${effect.unset.join(', ')}`] : [];
  return [values(effect.set), ...unset].filter(Boolean).join(', ');
}
