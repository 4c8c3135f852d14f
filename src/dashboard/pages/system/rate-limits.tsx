import { Anchor, Group, Progress, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ApiKey } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';

const REFRESH_MS = 10_000;
const MAX_SHOWN = 6;

/** How much of its rate limit each key uses, the busiest first. */
export function RateLimits() {
  const keys = useOperation('listApiKeys', { limit: 100 }, { refetchInterval: REFRESH_MS });
  return (
    <Section
      title="Rate limits"
      actions={
        <Anchor component={Link} to="/settings/api-keys" size="sm">
          All keys
        </Anchor>
      }
    >
      <Loaded query={keys}>
        {({ api_keys }) => (
          <Stack gap="sm">
            {api_keys
              .filter(({ revoked_at }) => revoked_at === null)
              .sort((a, b) => usageOf(b) - usageOf(a))
              .slice(0, MAX_SHOWN)
              .map((apiKey) => (
                <Use key={apiKey.id} apiKey={apiKey} />
              ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function Use({ apiKey }: { apiKey: ApiKey }) {
  const { name, rate_limit } = apiKey;
  const percent = Math.min(usageOf(apiKey), 1) * 100;
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="sm" mb={4}>
        <Text size="sm" truncate>
          {name}
        </Text>
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {count(rate_limit.used)} of {count(rate_limit.limit)} a minute
        </Text>
      </Group>
      <Progress
        value={percent}
        size="sm"
        color={percent >= 90 ? 'red' : 'indigo'}
        aria-label={`Rate limit of ${name}`}
      />
    </div>
  );
}

function usageOf({ rate_limit: { used, limit } }: ApiKey): number {
  return used / limit;
}
