import { Anchor, Button, Code, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Profile } from '../../../client/index.ts';
import { useOperation, useRows } from '../../api/operations.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { RunTable } from '../automations/runs/run-table.tsx';
import { identifierOf } from './identifier-of.ts';
import { StartAutomation } from './start-automation.tsx';
import { WhyNot } from './why-not.tsx';

const PAGE = 5;

/** The automations that a customer is in or was in, and why not in another. */
export function CustomerRuns({ profile }: { profile: Profile }) {
  const { id: profileId } = profile;
  const query = useRows('listProfileRuns', { id: profileId, limit: PAGE }, ({ runs }) => runs);
  const [asks, setAsks] = useState(false);
  const [starts, setStarts] = useState(false);
  const customer = identifierOf(profile);
  const mayStart = useAllows('automations:write') && customer !== undefined;
  return (
    <Section
      title="Automations"
      mt="lg"
      actions={
        <Group gap="xs">
          {mayStart && (
            <Button size="xs" variant="default" onClick={() => setStarts(true)}>
              Start one
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => setAsks(true)}>
            Why not?
          </Button>
        </Group>
      }
    >
      <Loaded query={query}>
        {(runs) =>
          runs.length === 0 ? (
            <Text size="sm" c="dimmed">
              This customer is in none.
            </Text>
          ) : (
            <RunTable
              runs={runs}
              pages={query}
              first={{ header: 'Automation', render: ({ automation_id }) => <AutomationLink id={automation_id} /> }}
            />
          )
        }
      </Loaded>
      {starts && customer && <StartAutomation customer={customer} onClose={() => setStarts(false)} />}
      {asks && <WhyNot profileId={profileId} onClose={() => setAsks(false)} />}
    </Section>
  );
}

function AutomationLink({ id }: { id: string }) {
  const { data } = useOperation('listAutomations', { limit: 100 }, { staleTime: 60_000 });
  const name = data?.automations.find((automation) => automation.id === id)?.name;
  return (
    <Anchor component={Link} to={`/automations/${id}`} size="sm">
      {name ?? <Code>{id}</Code>}
    </Anchor>
  );
}
