import { SimpleGrid, Stack } from '@mantine/core';
import { useRefresh } from '../../api/use-refresh.ts';
import { Page } from '../../components/page.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { Health } from './health.tsx';
import { RateLimits } from './rate-limits.tsx';
import { Refusals } from './refusals.tsx';

/** How the service is doing: what it refuses, how much of their rate limits keys use, and whether all of it is up. */
export function System() {
  const seesRequests = useAllows('events:read');
  const seesKeys = useAllows('keys:manage');
  return (
    <Page
      title="System"
      description="What was refused, how much of their rate limits keys use, and how the service is doing."
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack gap="lg">
          {seesRequests && <Requests />}
          <Health />
        </Stack>
        {seesKeys && (
          <Stack gap="lg">
            <RateLimits />
          </Stack>
        )}
      </SimpleGrid>
    </Page>
  );
}

function Requests() {
  useRefresh({ byEvents: ['getEventStats'], byRejections: ['listRejections'] });
  return <Refusals />;
}
