import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { CopyIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Campaign } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Confirmation } from '../../components/confirmation.tsx';
import { Deletion } from '../../components/deletion.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { campaignPath, useRefreshCampaigns } from './use-campaigns.ts';

type Status = 'draft' | 'sending' | 'paused' | 'cancelled';

const OVER: readonly unknown[] = ['draft', 'sent', 'cancelled', 'missed'];
const VERBS: Readonly<Record<Status, string>> = {
  draft: 'Take back',
  sending: 'Resume',
  paused: 'Pause',
  cancelled: 'Cancel the campaign',
};
const DONE: Readonly<Record<Status, string>> = {
  draft: 'It is a draft again.',
  sending: 'It goes on.',
  paused: 'It begins no more messages.',
  cancelled: 'It is over.',
};

/** What can be done with a campaign as it is. */
export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const { id, name, status } = campaign;
  const client = useClient();
  const refresh = useRefreshCampaigns();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'cancel' | 'delete'>();
  const [maySend, mayWrite] = [useAllows('messages:send'), useAllows('messages:write')];
  const close = () => setOpen(undefined);
  const change = useMutation({
    mutationFn: (to: Status) => client.setCampaignStatus({ id, status: to }),
    onSuccess: async (_, to) => {
      close();
      notifications.show({ title: name, message: DONE[to] });
      await refresh();
    },
    onError: ({ message }) => notifications.show({ color: 'red', title: name, message }),
  });
  const copying = useMutation({
    mutationFn: () => client.copyCampaign({ id }),
    onSuccess: async ({ id: copy }) => {
      navigate(campaignPath(copy));
      await refresh();
    },
    onError: ({ message }) => notifications.show({ color: 'red', title: 'It was not copied', message }),
  });
  const button = (to: Status) => (
    <Button
      variant="default"
      onClick={() => change.mutate(to)}
      loading={change.isPending && change.variables === to}
      disabled={change.isPending}
    >
      {VERBS[to]}
    </Button>
  );
  return (
    <>
      {maySend && possible(campaign).map((to) => <span key={to}>{button(to)}</span>)}
      {mayWrite && (
        <Button
          variant="default"
          leftSection={<CopyIcon />}
          onClick={() => copying.mutate()}
          loading={copying.isPending}
        >
          Copy
        </Button>
      )}
      {maySend && !OVER.includes(status) && (
        <Button variant="default" c="red" onClick={() => setOpen('cancel')}>
          Cancel
        </Button>
      )}
      {mayWrite && OVER.includes(status) && (
        <Button variant="default" c="red" onClick={() => setOpen('delete')}>
          Delete
        </Button>
      )}
      {open === 'cancel' && (
        <Confirmation
          title={`Cancel “${name}”?`}
          verb={VERBS.cancelled}
          failure="It was not cancelled"
          action={{ ...change, mutate: () => change.mutate('cancelled') }}
          onClose={close}
        >
          What has not been sent is not sent any more. What has been can’t be taken back.
        </Confirmation>
      )}
      {open === 'delete' && (
        <Deletion
          kind="campaign"
          name={name}
          remove={() => client.deleteCampaign({ id })}
          refresh={refresh}
          leadsTo="/campaigns"
          onClose={close}
        >
          Its results are gone, too; its messages stay for as long as messages are kept.
        </Deletion>
      )}
    </>
  );
}

/** To which statuses it can be brought, beside being cancelled. */
function possible({ status, started_at }: Campaign): Status[] {
  const hasBegun = started_at !== null;
  if (status === 'preparing' || status === 'sending') return ['paused'];
  if (status === 'paused') return hasBegun ? ['sending'] : ['sending', 'draft'];
  if (status === 'held') return hasBegun ? ['sending'] : ['draft'];
  return status === 'scheduled' || status === 'missed' ? ['draft'] : [];
}
