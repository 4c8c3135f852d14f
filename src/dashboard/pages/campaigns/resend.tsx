import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Campaign, CampaignAudiencePartInput, RecipientsOfCampaignInput } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { campaignPath, useRefreshCampaigns } from './use-campaigns.ts';
import { WHO_WORDS } from './words.ts';

type Who = RecipientsOfCampaignInput['who'];

const NAMES: Readonly<Record<Who, string>> = {
  non_openers: 'not opened',
  non_clickers: 'not clicked',
  skipped: 'skipped',
  failed: 'failed',
};
/** Characters of a name. */
const MAX_NAME = 100;

/** What its recipients got, or most of them: that of the variant that has won. */
function sentAs({ template_id, sender_id, subject, coupon_pool_id, test, test_outcome }: Campaign) {
  const winner = test_outcome?.winner;
  const variant = typeof winner === 'number' ? test?.variants[winner - 1] : undefined;
  return {
    template_id: variant?.template_id ?? template_id,
    sender_id: variant?.sender_id ?? sender_id,
    subject: variant?.subject ?? subject,
    coupon_pool_id: coupon_pool_id ?? null,
  };
}

/** Makes a draft of the same for some of its recipients, to be looked at before it is sent. */
export function Resend({ campaign }: { campaign: Campaign }) {
  const client = useClient();
  const navigate = useNavigate();
  const refresh = useRefreshCampaigns();
  const mayWrite = useAllows('messages:write');
  const { id, name, channel, audience } = campaign;
  const creation = useMutation({
    mutationFn: (who: Who) => {
      const ending = ` (${NAMES[who]})`;
      return client.createCampaign({
        name: [...name].slice(0, MAX_NAME - ending.length).join('') + ending,
        channel: channel === 'sms' ? 'sms' : 'email',
        ...sentAs(campaign),
        audience: { any: [{ campaign: { id, who } }], not: (audience?.not ?? []) as CampaignAudiencePartInput[] },
      });
    },
    onSuccess: async ({ id: created }) => {
      navigate(campaignPath(created));
      await refresh();
    },
    onError: ({ message }) => notifications.show({ color: 'red', title: 'No draft was made', message }),
  });
  if (!mayWrite) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs" loading={creation.isPending}>
          Send again to…
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(NAMES) as Who[]).map((who) => (
          <Menu.Item key={who} onClick={() => creation.mutate(who)}>
            {WHO_WORDS[who]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
