import { Badge, Group, Progress, Stack, Text } from '@mantine/core';
import type { Segment } from '../../../client/index.ts';
import { count } from '../../components/numbers.ts';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { plural } from '../automations/words/durations.ts';

const COLORS = { live: 'green', building: 'blue', failed: 'red' } as const;
const WORDS = { live: 'Live', building: 'Building', failed: 'Failed' } as const;
/** Seconds behind that are worth a word. */
const LATE = 60;

/** Whether the members of a segment are up to date, and if not why. */
export function SegmentState({ segment }: { segment: Segment }) {
  const { state, failure, progress, lag_seconds: lag, set_aside: aside } = segment;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge color={colorOf(COLORS, state)} variant="light">
          {wordsOf(WORDS, state)}
        </Badge>
        {state === 'live' && lag !== null && lag >= LATE && <Text size="sm">{count(lag)} seconds behind</Text>}
      </Group>
      {failure && <Text size="sm">{failure}</Text>}
      {aside.profiles > 0 && (
        <Text size="sm">Without {plural(aside.profiles, 'customer')} with too many events to be looked at in time</Text>
      )}
      {progress && (
        <>
          <Text size="sm">
            {count(progress.profiles)}
            {progress.of !== null && ` of ${count(progress.of)}`} customers
          </Text>
          {progress.of !== null && progress.of > 0 && (
            <Progress aria-label="Building" value={Math.min(100, (progress.profiles / progress.of) * 100)} />
          )}
        </>
      )}
    </Stack>
  );
}
