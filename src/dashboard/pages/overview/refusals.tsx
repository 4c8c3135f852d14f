import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useOperation } from '../../api/operations.ts';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';

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
        {({ rejections: [latest, ...earlier] }) => {
          if (!latest) return <Text size="sm">None. Everything that was sent was taken.</Text>;
          const recent = [latest, ...earlier].filter(
            ({ rejected_at }) => Date.parse(rejected_at) > Date.now() - DAY_MS,
          );
          return (
            <>
              <Text size="sm">
                <b>
                  {count(recent.length)}
                  {recent.length === LOOKED_AT && ' or more'}
                </b>{' '}
                in the last 24 hours
              </Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                The last one <Time value={latest.rejected_at} />, with the key “{latest.key.name}”: {latest.message}
              </Text>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
