import { Text } from '@mantine/core';
import { Time } from '../../../components/time.tsx';

/** Until when something would be tried. */
export function NotAfter({ time }: { time: string }) {
  return (
    <Text size="xs" c="dimmed" component="span">
      It would not be sent after <Time value={time} />.
    </Text>
  );
}
