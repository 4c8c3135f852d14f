import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { SkipDetail } from '../../../client/index.ts';
import { Time } from '../../components/time.tsx';
import { Finding } from './runs/finding.tsx';
import { skipWords } from './words/reasons.ts';

/** Why a customer did not enter. `automationId` leads to the run that was in the way. */
export function SkipWords({
  reason,
  detail,
  automationId,
}: {
  reason: string | null;
  detail: SkipDetail | null;
  automationId?: string;
}) {
  if (reason === null) return null;
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      No: {skipWords(reason)}.
      {detail?.condition && (
        <div>
          <Finding finding={detail.condition} before="Failed at" />
        </div>
      )}
      {detail?.run_id && automationId && (
        <div>
          <Anchor component={Link} to={`/automations/${automationId}/runs/${detail.run_id}`} inherit underline="always">
            The run
          </Anchor>
        </div>
      )}
      {detail?.free_at && (
        <div>
          Can enter again from <Time value={detail.free_at} />
        </div>
      )}
    </Text>
  );
}
