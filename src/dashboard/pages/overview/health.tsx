import { Badge, DataList } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';

interface Readiness {
  status: string;
  database: string;
  redis: string;
  jobs: string;
}

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
  down: 'red',
  unavailable: 'red',
};

/** Whether the service can take what is sent to it. */
export function Health() {
  const readiness = useQuery({ queryKey: ['readiness'], queryFn: readReadiness, refetchInterval: REFRESH_MS });
  return (
    <Section title="Health">
      <Loaded query={readiness}>
        {(state) => (
          <DataList>
            {PARTS.map(({ name, label }) => (
              <DataList.Item key={name}>
                <DataList.ItemLabel>{label}</DataList.ItemLabel>
                <DataList.ItemValue>
                  <Badge color={COLORS[state[name]] ?? 'gray'}>{state[name]}</Badge>
                </DataList.ItemValue>
              </DataList.Item>
            ))}
          </DataList>
        )}
      </Loaded>
    </Section>
  );
}

/** It says so also with a 503. */
async function readReadiness({ signal }: { signal: AbortSignal }): Promise<Readiness> {
  const response = await fetch('/health/ready', { signal });
  return response.json();
}
