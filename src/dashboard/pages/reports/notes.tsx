import { Alert, Text } from '@mantine/core';
import { Time } from '../../components/time.tsx';

/** What is to be known of the numbers of a report of orders. */
export function ReportNotes({
  report: { is_complete, is_estimated, computed_at },
}: {
  report: { is_complete: boolean; is_estimated: boolean; computed_at: string };
}) {
  return (
    <>
      {!is_complete && (
        <Alert color="yellow" role="status">
          Former orders are still being read: the numbers will change.
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        {is_estimated && 'Estimated by a part of the customers, drawn by chance. '}
        Worked out <Time value={computed_at} />; without orders that were cancelled.
      </Text>
    </>
  );
}
