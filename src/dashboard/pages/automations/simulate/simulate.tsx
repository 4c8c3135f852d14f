import { Accordion, Checkbox, Drawer, Group, Radio, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Automation, SimulationInput } from '../../../../client/index.ts';
import { useClient } from '../../../api/client.tsx';
import { useOperation } from '../../../api/operations.ts';
import { Problems } from '../../../components/problems.tsx';
import { Failure } from '../../../components/states.tsx';
import { known } from '../../../definitions.ts';
import { AssumeFields } from './assume-fields.tsx';
import { type Assumption, assumeOf, splitsOf } from './assumptions.ts';
import { MadeUp } from './made-up.tsx';
import { RecentEvents } from './recent-events.tsx';
import { SimulationResult } from './simulation-result.tsx';

/** Plays through what would happen, from an event that somebody had or one that is made up. */
export function Simulate({ automation, onClose }: { automation: Automation; onClose: () => void }) {
  const { id, version, draft, problems } = automation;
  const client = useClient();
  const [ofVersion, setOfVersion] = useState<number | null>(null);
  const [isReal, setReal] = useState(true);
  const [followsHistory, setFollowsHistory] = useState(false);
  const [assumptions, setAssumptions] = useState<Assumption[]>([]);
  const published = useOperation(
    'getAutomationVersion',
    { id, number: String(ofVersion ?? 1) },
    { enabled: ofVersion !== null, staleTime: Number.POSITIVE_INFINITY },
  );
  const simulation = useMutation({
    mutationFn: (from: SimulationInput) => client.simulateAutomation({ id, version: ofVersion, ...from }),
  });
  const read = ofVersion === null ? draft : published.data?.definition;
  const definition = read && known(read);
  const hasEvents = definition?.trigger.type === 'event';
  const play = (from: SimulationInput) => {
    const assume = assumeOf(assumptions);
    // What is wrong is said at its field.
    if (assume) simulation.mutate({ ...from, ...(assume.length > 0 && { assume }) });
  };

  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={
        <Text component="h2" fw={650} fz="lg">
          Simulate
        </Text>
      }
    >
      <Stack gap="lg">
        <Text size="sm" c="dimmed">
          Nothing is stored, changed or sent.
        </Text>
        {version !== null && (
          <Select
            label="What"
            data={[
              { value: 'draft', label: 'The draft' },
              { value: String(version), label: `Version ${version}` },
            ]}
            value={ofVersion === null ? 'draft' : String(ofVersion)}
            onChange={(chosen) => {
              setOfVersion(chosen === 'draft' ? null : Number(chosen));
              simulation.reset();
            }}
            allowDeselect={false}
          />
        )}
        {ofVersion === null && <Problems problems={problems} />}
        {hasEvents && (
          <Radio.Group
            label="Start from"
            value={isReal ? 'real' : 'made-up'}
            onChange={(kind) => setReal(kind === 'real')}
          >
            <Group gap="md" mt="xs">
              <Radio value="real" label="A recent event" />
              <Radio value="made-up" label="A made-up one" />
            </Group>
          </Radio.Group>
        )}
        <Accordion variant="contained">
          <Accordion.Item value="assume">
            <Accordion.Control>
              What else happens{assumptions.length > 0 && ` (${assumptions.length})`}
            </Accordion.Control>
            <Accordion.Panel>
              <AssumeFields value={assumptions} onChange={setAssumptions} splits={splitsOf(definition)} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
        {hasEvents && isReal ? (
          <>
            <Checkbox
              label="Follow what the customer really did afterwards"
              checked={followsHistory}
              onChange={({ currentTarget }) => setFollowsHistory(currentTarget.checked)}
            />
            <RecentEvents
              automationId={id}
              of={ofVersion === null ? 'draft' : 'live'}
              onChoose={(event_id) => play({ event_id, follow_history: followsHistory })}
              isPending={simulation.isPending}
            />
          </>
        ) : (
          <MadeUp
            hasProperties={hasEvents || definition?.trigger.type === 'manual' || definition?.trigger.type === 'catalog'}
            onSubmit={play}
            isPending={simulation.isPending}
          />
        )}
        {simulation.error && <Failure error={simulation.error} title="It could not be simulated" />}
        {simulation.data && <SimulationResult simulation={simulation.data} definition={definition} />}
      </Stack>
    </Drawer>
  );
}
