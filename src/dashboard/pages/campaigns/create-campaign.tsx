import { Select } from '@mantine/core';
import { useState } from 'react';
import type { CampaignAudiencePartInput } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { NameField, SaveDialog } from '../../components/save-dialog.tsx';
import { campaignPath, useRefreshCampaigns } from './use-campaigns.ts';

const CHANNELS = [
  { value: 'email', label: 'E-mail' },
  { value: 'sms', label: 'Text message' },
];

/** Creates a draft of a campaign, of which it may be known to whom it goes, and goes on to it. */
export function CreateCampaign({ to, onClose }: { to?: CampaignAudiencePartInput; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshCampaigns();
  const [name, setName] = useState('');
  const [channel, setChannel] = useState<'email' | 'sms'>('email');
  const save = () =>
    client.createCampaign({ name: name.trim(), channel, ...(to && { audience: { any: [to], not: [] } }) });
  return (
    <SaveDialog
      what="campaign"
      fields={['name', 'channel']}
      isDisabled={name.trim() === ''}
      save={save}
      refresh={refresh}
      pathOf={campaignPath}
      onClose={onClose}
    >
      {(wrong) => (
        <>
          <NameField
            description="What it is, for you; templates can show it."
            value={name}
            error={wrong('name')}
            onChange={setName}
          />
          <Select
            label="It is sent as"
            data={CHANNELS}
            value={channel}
            onChange={(value) => setChannel(value === 'sms' ? 'sms' : 'email')}
            allowDeselect={false}
            error={wrong('channel')}
          />
        </>
      )}
    </SaveDialog>
  );
}
