import { Modal, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { campaignPath, useRefreshCampaigns } from './use-campaigns.ts';

const CHANNELS = [
  { value: 'email', label: 'E-mail' },
  { value: 'sms', label: 'Text message' },
];

/** Creates a draft of a campaign, and goes on to it. */
export function CreateCampaign({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshCampaigns();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [channel, setChannel] = useState<'email' | 'sms'>('email');
  const creation = useMutation({
    mutationFn: () => client.createCampaign({ name: name.trim(), channel }),
    onSuccess: async ({ id }) => {
      onClose();
      navigate(campaignPath(id));
      await refresh();
    },
  });
  const { wrong, rest } = refusalOf(creation.error, ['name', 'channel']);
  return (
    <Modal opened onClose={onClose} title="Create a campaign">
      <ActionForm
        verb="Create"
        failure="The campaign was not created"
        error={rest}
        isPending={creation.isPending}
        isDisabled={name.trim() === ''}
        onSubmit={creation.mutate}
      >
        <TextInput
          label="Name"
          description="What it is, for you; templates can show it."
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={wrong('name')}
        />
        <Select
          label="It is sent as"
          data={CHANNELS}
          value={channel}
          onChange={(value) => setChannel(value === 'sms' ? 'sms' : 'email')}
          allowDeselect={false}
          error={wrong('channel')}
        />
      </ActionForm>
    </Modal>
  );
}
