import { List, Modal, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { EventsOfErased, Profile } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { erasurePath } from '../privacy/words.ts';

/** For how long nobody comes back, as the API takes it; null is for ever. */
const PERIODS: readonly { days: number | null; label: string }[] = [
  { days: 30, label: '30 days' },
  { days: 365, label: 'a year' },
  { days: null, label: 'for ever' },
  { days: 0, label: 'not at all' },
];

/** Asks for what the customer is known by, then erases them, and leads to the proof. */
export function EraseCustomer({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const client = useClient();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [events, setEvents] = useState<EventsOfErased>('delete');
  const [period, setPeriod] = useState('30 days');
  const [typed, setTyped] = useState('');
  const word = wordFor(profile);
  const days = PERIODS.find(({ label }) => label === period)?.days ?? null;
  const erasing = useMutation({
    mutationFn: () => client.createErasure({ profile_id: profile.id, events, suppress_days: days }),
    onSuccess: async ({ id }) => {
      navigate(erasurePath(id));
      // Not at once: this page asks for the customer.
      await queryClient.invalidateQueries({ refetchType: 'none' });
    },
  });
  return (
    <Modal opened onClose={onClose} title="Erase this customer?">
      <ActionForm
        verb="Erase"
        failure="Nobody was erased"
        error={erasing.error}
        isPending={erasing.isPending}
        isDisabled={typed.trim() !== word}
        isGrave
        onCancel={onClose}
        onSubmit={erasing.mutate}
      >
        <List size="sm">
          <List.Item>Profile, consent, lists, segments, messages and deliveries are gone for good.</List.Item>
          <List.Item>Their automations end, and nothing that waits is sent.</List.Item>
          <List.Item>What is just being sent may still arrive within a minute.</List.Item>
          <List.Item>Backups that were made before still hold them.</List.Item>
        </List>
        <Radio.Group
          label="Their events"
          value={events}
          onChange={(value) => setEvents(value === 'anonymise' ? 'anonymise' : 'delete')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="delete" label="Delete them: they are counted no more" />
            <Radio value="anonymise" label="Keep type, time, value and currency as nobody’s: revenue stays as it is" />
          </Stack>
        </Radio.Group>
        <Select
          label="Refuse to create them again for"
          description="So that no nightly sync brings them back."
          data={PERIODS.map(({ label }) => label)}
          value={period}
          onChange={(value) => setPeriod(value ?? '30 days')}
          allowDeselect={false}
        />
        <TextInput
          label={
            <>
              Type{' '}
              <Text span fw={700} inherit style={{ overflowWrap: 'anywhere' }}>
                {word}
              </Text>{' '}
              to go on
            </>
          }
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </ActionForm>
    </Modal>
  );
}

/** What somebody who means this customer can type. */
function wordFor({ id, identifiers: { email, external_id, phone } }: Profile): string {
  return email ?? external_id ?? phone ?? id.slice(-8);
}
