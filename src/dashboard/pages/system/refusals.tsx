import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Rejection } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { count, share } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { isRefusal } from '../rejections/causes.ts';

/** As many as one page of the list has. */
const LOOKED_AT = 100;
const DAY_MS = 86_400_000;

/** How much was refused of late. */
export function Refusals() {
  const rejections = useOperation('listRejections', { limit: LOOKED_AT }, { refetchInterval: 60_000 });
  return (
    <Section
      title="Refused requests"
      actions={
        <Anchor component={Link} to="/rejections" size="sm">
          All rejections
        </Anchor>
      }
    >
      <Loaded query={rejections}>
        {({ rejections }) => {
          const latest = rejections.find(isRefusal);
          if (!latest) return <Text size="sm">None.</Text>;
          return <Recent latest={latest} all={rejections} />;
        }}
      </Loaded>
    </Section>
  );
}

function Recent({ latest, all }: { latest: Rejection; all: Rejection[] }) {
  // By default these are the last 24 hours.
  const recorded = useOperation('getEventStats', { interval: 'hour' }).data?.total;
  const ofLate = all.filter(({ rejected_at }) => Date.parse(rejected_at) > Date.now() - DAY_MS);
  const refused = ofLate.filter(isRefusal).length;
  const isAll = ofLate.length < LOOKED_AT;
  return (
    <>
      <Text size="sm">
        <b>
          {count(refused)}
          {!isAll && ' or more'}
        </b>{' '}
        in the last 24 hours
        {isAll &&
          recorded !== undefined &&
          `, ${share(refused, refused + recorded)}, next to ${count(recorded)} recorded events`}
      </Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        Last: <Time value={latest.rejected_at} />, with key “{latest.key.name}”: {latest.message}
      </Text>
    </>
  );
}
