import { Alert, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChannelUpdate } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { TimeInput } from '../../components/time-input.tsx';
import { CHANNEL_NAMES, type Channel, type ChannelConsent } from './consent-words.ts';

type Choice = 'subscribed' | 'unsubscribed' | 'suppress' | 'lift';

/** Records what a customer has said, or that the store does not want to write to them. */
export function ChangeConsent({
  profileId,
  channel,
  consent,
  onClose,
}: {
  profileId: string;
  channel: Channel;
  consent: ChannelConsent;
  onClose: () => void;
}) {
  const client = useClient();
  const queryClient = useQueryClient();
  const name = CHANNEL_NAMES[channel];
  const change = useMutation({
    mutationFn: (update: ChannelUpdate) => client.updateProfileConsent({ id: profileId, [channel]: update }),
    onSuccess: async ({ changed }) => {
      onClose();
      notifications.show(
        changed.includes(channel)
          ? { title: 'Recorded', message: `The consent for ${name.toLowerCase()} has changed.` }
          : { title: 'Recorded, without effect', message: 'It is in the history; the consent was so already.' },
      );
      await queryClient.invalidateQueries({ queryKey: ['getProfile'] });
      await queryClient.invalidateQueries({ queryKey: ['listProfileConsentChanges'] });
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Change the consent: ${name}`}>
      <ConsentForm
        consent={consent}
        onSubmit={change.mutate}
        onCancel={onClose}
        error={change.error}
        isPending={change.isPending}
      />
    </Modal>
  );
}

function ConsentForm({
  consent,
  onSubmit,
  onCancel,
  error,
  isPending,
}: {
  consent: ChannelConsent;
  onSubmit: (update: ChannelUpdate) => void;
  onCancel: () => void;
  error: Error | null;
  isPending: boolean;
}) {
  const [choice, setChoice] = useState<Choice>();
  const [chosenAt, setChosenAt] = useState('');
  const [source, setSource] = useState('');
  const [reason, setReason] = useState('');
  const submit = () => {
    if (!choice) return;
    onSubmit({
      ...toUpdate(choice, reason.trim()),
      ...(source.trim() && { source: source.trim() }),
      ...(chosenAt && { changed_at: chosenAt }),
    });
  };
  return (
    <ActionForm
      verb="Record"
      failure="Nothing was changed"
      error={error}
      isPending={isPending}
      isDisabled={!choice || (choice === 'subscribed' && source.trim() === '')}
      onCancel={onCancel}
      onSubmit={submit}
    >
      <Radio.Group label="What has changed" value={choice ?? null} onChange={(value) => setChoice(value as Choice)}>
        <Stack gap="xs" mt="xs">
          <Radio value="subscribed" label="The customer subscribes" data-autofocus />
          <Radio value="unsubscribed" label="The customer unsubscribes" />
          {consent.suppressed ? (
            <Radio value="lift" label="Lift the suppression" />
          ) : (
            <Radio value="suppress" label="Suppress: nothing is to be sent, whatever the customer has chosen" />
          )}
        </Stack>
      </Radio.Group>
      {choice === 'subscribed' && (
        <Alert color="yellow" role="status">
          Record it only if you can prove that they agreed: say below where and when.
        </Alert>
      )}
      {choice === 'suppress' && (
        <TextInput
          label="Reason"
          description="By default USER_SUPPRESSED."
          maxLength={255}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      )}
      <TextInput
        label="Source"
        description="Where you know it from, such as a call or a letter. It is kept in the history."
        required={choice === 'subscribed'}
        maxLength={1000}
        value={source}
        onChange={({ currentTarget }) => setSource(currentTarget.value)}
      />
      <TimeInput label="When" description="By default now." value={chosenAt} onChange={setChosenAt} />
    </ActionForm>
  );
}

function toUpdate(choice: Choice, reason: string): ChannelUpdate {
  if (choice === 'suppress') return { suppressed: true, ...(reason && { reason }) };
  return choice === 'lift' ? { suppressed: false } : { status: choice };
}
