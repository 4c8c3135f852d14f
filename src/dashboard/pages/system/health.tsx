import { Badge, DataList } from '@mantine/core';
import { useReadiness } from '../../api/use-readiness.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { colorOf } from '../../components/words-of.ts';

const REFRESH_MS = 10_000;
const PARTS = [
  { name: 'status', label: 'Ingest' },
  { name: 'database', label: 'Database' },
  { name: 'redis', label: 'Shared rate limit' },
  { name: 'jobs', label: 'Bulk jobs' },
] as const;
const COLORS: Record<string, string> = {
  ready: 'green',
  ok: 'green',
  draining: 'yellow',
  'partly down': 'yellow',
  down: 'red',
  'disk full': 'red',
  unavailable: 'red',
};

/** Whether the service can take what is sent to it. */
export function Health() {
  const readiness = useReadiness(REFRESH_MS);
  return (
    <Section title="Health">
      <Loaded query={readiness}>
        {(state) => (
          <DataList>
            {PARTS.map(({ name, label }) => (
              <DataList.Item key={name}>
                <DataList.ItemLabel>{label}</DataList.ItemLabel>
                <DataList.ItemValue>
                  <Badge color={colorOf(COLORS, state[name])}>{state[name]}</Badge>
                </DataList.ItemValue>
              </DataList.Item>
            ))}
          </DataList>
        )}
      </Loaded>
    </Section>
  );
}
