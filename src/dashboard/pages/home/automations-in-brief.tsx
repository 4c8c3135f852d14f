import { Anchor, List, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { WebhookEndpoint } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { plural } from '../../components/durations.ts';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { endpointPath } from '../webhooks/endpoint-table.tsx';
import { EndpointState } from '../webhooks/health.tsx';
import { useEndpoints } from '../webhooks/use-endpoints.ts';

const REFRESH_MS = 30_000;
/** As many as one page has: who has more is told so. */
const PAGE = 100;

/** How many automations are live, and which receivers of their messages are in trouble; nothing without the scopes. */
export function AutomationsInBrief() {
  const seesAutomations = useAllows('automations:read');
  const seesWebhooks = useAllows('webhooks:manage');
  if (!seesAutomations && !seesWebhooks) return null;
  return (
    <Section
      title="Automations"
      actions={
        <Anchor component={Link} to={seesAutomations ? '/automations' : '/webhooks'} size="sm">
          {seesAutomations ? 'All automations' : 'All endpoints'}
        </Anchor>
      }
    >
      {seesAutomations && <Live />}
      {seesWebhooks && <Receivers />}
    </Section>
  );
}

function Live() {
  const query = useOperation('listAutomations', { status: 'live', limit: PAGE }, { refetchInterval: REFRESH_MS });
  return (
    <Loaded query={query}>
      {({ automations, next_cursor }) => {
        const runs = automations.reduce((sum, { active_runs }) => sum + active_runs, 0);
        const more = next_cursor === null ? '' : ' or more';
        return automations.length === 0 ? (
          <Text size="sm">None is live.</Text>
        ) : (
          <Text size="sm">
            <b>
              {count(automations.length)}
              {more}
            </b>{' '}
            live, with{' '}
            <b>
              {count(runs)}
              {more}
            </b>{' '}
            active {runs === 1 ? 'run' : 'runs'}
          </Text>
        );
      }}
    </Loaded>
  );
}

function Receivers() {
  const query = useEndpoints({ refetchInterval: REFRESH_MS });
  return (
    <Loaded query={query}>
      {({ endpoints }) => {
        const troubled = endpoints.filter(isInTrouble);
        const queued = endpoints.reduce((sum, endpoint) => sum + endpoint.queued, 0);
        if (endpoints.length === 0) return <Text size="sm">No webhook endpoints.</Text>;
        return (
          <Stack gap="xs">
            <Text size="sm">
              {plural(endpoints.length, 'webhook endpoint')}, {plural(queued, 'message')} queued
              {troubled.length === 0 && ': all is well'}
            </Text>
            {troubled.length > 0 && (
              <List size="sm" listStyleType="none" spacing="xs" aria-label="Endpoints in trouble">
                {troubled.map((endpoint) => (
                  <List.Item key={endpoint.id} style={{ overflowWrap: 'anywhere' }}>
                    <Anchor component={Link} to={endpointPath(endpoint.id)} size="sm" underline="always">
                      {endpoint.name}
                    </Anchor>{' '}
                    <EndpointState endpoint={endpoint} />
                  </List.Item>
                ))}
              </List>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

function isInTrouble({ status, failing_since }: WebhookEndpoint): boolean {
  return status !== 'active' || failing_since !== null;
}
