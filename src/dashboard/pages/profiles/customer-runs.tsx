import { Anchor, Button, Code, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useOperation, useRows } from '../../api/operations.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { RunTable } from '../automations/runs/run-table.tsx';
import { WhyNot } from './why-not.tsx';

const PAGE = 5;

/** The automations that a customer is in or was in, and why not in another. */
export function CustomerRuns({ profileId }: { profileId: string }) {
  const query = useRows('listProfileRuns', { id: profileId, limit: PAGE }, ({ runs }) => runs);
  const [asks, setAsks] = useState(false);
  return (
    <Section
      title="Automations"
      mt="lg"
      actions={
        <Button size="xs" variant="default" onClick={() => setAsks(true)}>
          Why not?
        </Button>
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
