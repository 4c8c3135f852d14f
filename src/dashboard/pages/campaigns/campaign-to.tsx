import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { CampaignAudiencePartInput } from '../../../client/index.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { CreateCampaign } from './create-campaign.tsx';

/** Begins a campaign to a list or a segment, for whoever may write one. */
export function CampaignTo({ to }: { to: CampaignAudiencePartInput }) {
  const [isCreating, { open, close }] = useDisclosure();
  if (!useAllows('messages:write')) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        Create a campaign
      </Button>
      {isCreating && <CreateCampaign to={to} onClose={close} />}
    </>
  );
}
