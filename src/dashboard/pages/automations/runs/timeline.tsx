import { Timeline as MantineTimeline, Text } from '@mantine/core';
import type { TimelineEntry } from '../../../../client/index.ts';
import { Time } from '../../../components/time.tsx';
import { wordsOf } from '../../../components/words-of.ts';
import type { AutomationDefinition } from '../../../definitions.ts';
import { Detail, OUTCOME_WORDS } from './outcome.tsx';

/** What was decided about a run, in order and in words; `definition` is what it followed. */
export function RunTimeline({
  timeline,
  definition,
  label,
}: {
  timeline: readonly TimelineEntry[];
  definition: AutomationDefinition | undefined;
  label: string;
}) {
  return (
    <MantineTimeline bulletSize={14} lineWidth={2} role="list" aria-label={label}>
      {timeline.map((entry) => (
        <MantineTimeline.Item
          key={entry.seq}
          role="listitem"
          title={
            <Text size="sm" fw={500} component="span">
              {wordsOf(OUTCOME_WORDS, entry.outcome)}
            </Text>
          }
        >
          <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
            <Detail entry={entry} definition={definition} />
          </Text>
          <Text c="dimmed" size="xs">
            <Time value={entry.at} /> · {entry.step_id}
          </Text>
        </MantineTimeline.Item>
      ))}
    </MantineTimeline>
  );
}
