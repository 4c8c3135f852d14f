import { Button, Menu, Modal, Radio, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ChevronDownIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Automation, AutomationStatusChange } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { DeleteAutomation } from './delete-automation.tsx';
import { useRefresh } from './use-refresh.ts';

type Status = AutomationStatusChange['status'];

/** What is done to an automation with each status, and what that means. */
const CHANGES: Readonly<Record<Status, { verb: string; meaning: string; done: string }>> = {
  live: { verb: 'Resume', meaning: 'New runs start, and those under way go on.', done: 'It is live again.' },
  paused: {
    verb: 'Pause',
    meaning:
      'No runs start, nor later for what happens now. Those under way take no steps; what they wait for and their exits still count.',
    done: 'It is paused.',
  },
  draining: {
    verb: 'Drain',
    meaning: 'No runs start. Those under way go on until they end.',
    done: 'It starts no more runs.',
  },
  archived: {
    verb: 'Archive',
    meaning: 'No runs start, and those under way end. This is final.',
    done: 'It is archived.',
  },
};

/** Pauses, resumes, drains, archives or deletes an automation, after a question. */
export function StatusMenu({ automation }: { automation: Automation }) {
  const [asked, setAsked] = useState<Status | 'deleted'>();
  const isPublished = automation.version !== null;
  const offered: Status[] = isPublished ? ['live', 'paused', 'draining', 'archived'] : ['archived'];
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDownIcon />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {offered
            .filter((status) => status !== automation.status)
            .map((status) => (
              <Menu.Item key={status} {...(status === 'archived' && { color: 'red' })} onClick={() => setAsked(status)}>
                {CHANGES[status].verb}…
              </Menu.Item>
            ))}
          {!isPublished && (
            <Menu.Item color="red" onClick={() => setAsked('deleted')}>
              Delete…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {asked === 'deleted' && <DeleteAutomation automation={automation} onClose={() => setAsked(undefined)} />}
      {asked && asked !== 'deleted' && (
        <ChangeStatus automation={automation} status={asked} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

const SPREADS = [
  { value: 'PT0S', label: 'All at once' },
  { value: 'PT15M', label: 'Over 15 minutes' },
  { value: 'PT1H', label: 'Over an hour' },
  { value: 'P1D', label: 'Over a day' },
];

function ChangeStatus({
  automation: { id, name, status: before },
  status,
  onClose,
}: {
  automation: Automation;
  status: Status;
  onClose: () => void;
}) {
  const client = useClient();
  const refresh = useRefresh();
  const { verb, meaning, done } = CHANGES[status];
  const [overdue, setOverdue] = useState<'run' | 'exit'>('run');
  const [spread, setSpread] = useState('PT15M');
  const isResumed = before === 'paused' && (status === 'live' || status === 'draining');
  const change = useMutation({
    mutationFn: () => client.setAutomationStatus({ id, status, ...(isResumed && { overdue, spread }) }),
    onSuccess: async () => {
      onClose();
      notifications.show({ title: name, message: done });
      await refresh();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`${verb} “${name}”?`}>
      <ActionForm
        verb={verb}
        failure="Nothing was changed"
        error={change.error}
        isPending={change.isPending}
        isGrave={status === 'archived'}
        onCancel={onClose}
        onSubmit={change.mutate}
      >
        <Text size="sm">{meaning}</Text>
        {isResumed && (
          <>
            <Radio.Group
              label="Runs that were due meanwhile"
              value={overdue}
              onChange={(value) => setOverdue(value as typeof overdue)}
            >
              <Stack gap="xs" mt="xs">
                <Radio value="run" label="Go on" />
                <Radio value="exit" label="End" />
              </Stack>
            </Radio.Group>
            {overdue === 'run' && (
              <Select
                label="How fast"
                data={SPREADS}
                value={spread}
                onChange={(value) => setSpread(value ?? 'PT15M')}
                allowDeselect={false}
              />
            )}
          </>
        )}
      </ActionForm>
    </Modal>
  );
}
