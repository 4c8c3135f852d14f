import { Badge, Group, Progress, Stack, Text } from '@mantine/core';
import type { Segment } from '../../../client/index.ts';
import { plural } from '../../components/durations.ts';
import { count } from '../../components/numbers.ts';
import { colorOf, wordsOf } from '../../components/words-of.ts';

const COLORS = { live: 'green', building: 'blue', failed: 'red' } as const;
const WORDS = { live: 'Live', building: 'Building', failed: 'Failed' } as const;
/** Seconds behind that are worth a word. */
const LATE = 60;

/** Whether the members of a segment are up to date, and if not why. */
export function SegmentStatus({ segment }: { segment: Segment }) {
  const { status, failure, progress, lag_seconds: lag, set_aside: aside } = segment;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge color={colorOf(COLORS, status)} variant="light">
          {wordsOf(WORDS, status)}
        </Badge>
        {status === 'live' && lag !== null && lag >= LATE && <Text size="sm">{count(lag)} seconds behind</Text>}
      </Group>
      {failure && <Text size="sm">{failure}</Text>}
      {aside.profile_count > 0 && (
        <Text size="sm">
          Without {plural(aside.profile_count, 'customer')} with too many events to be looked at in time
        </Text>
      )}
      {progress && (
        <>
          <Text size="sm">
            {count(progress.profile_count)}
            {progress.of !== null && ` of ${count(progress.of)}`} customers
          </Text>
          {progress.of !== null && progress.of > 0 && (
            <Progress aria-label="Building" value={Math.min(100, (progress.profile_count / progress.of) * 100)} />
          )}
        </>
      )}
    </Stack>
  );
}
