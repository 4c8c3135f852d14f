import { useQueryClient } from '@tanstack/react-query';
import type { Campaign, CampaignAudienceInput, CampaignTestInput, CampaignTimingInput } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { type SavedDraft, useSavedDraft } from '../../drafts/use-saved-draft.ts';

const READ: readonly unknown[] = [
  'listCampaigns',
  'getCampaign',
  'getCampaignStats',
  'listCampaignMessages',
  'estimateCampaign',
];

export const campaignPath = (id: string): string => `/campaigns/${id}`;

/** Reads again what is shown of campaigns, after something of them was changed. */
export function useRefreshCampaigns(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => READ.includes(queryKey[0]) });
}

/** What of a campaign is changed, as long as it is a draft. */
export type CampaignDraft = Pick<
  Campaign,
  | 'name'
  | 'template_id'
  | 'subject'
  | 'sender_id'
  | 'audience'
  | 'timing'
  | 'test'
  | 'hold_out_percent'
  | 'coupon_pool_id'
>;

const drafts = new WeakMap<Campaign, CampaignDraft>();

function draftOf(campaign: Campaign): CampaignDraft {
  const {
    name,
    template_id,
    subject,
    sender_id,
    audience,
    timing,
    test,
    hold_out_percent,
    coupon_pool_id = null,
  } = campaign;
  const content = { name, template_id, subject, sender_id };
  const draft = drafts.get(campaign) ?? { ...content, audience, timing, test, hold_out_percent, coupon_pool_id };
  drafts.set(campaign, draft);
  return draft;
}

export function useCampaignDraft(campaign: Campaign): SavedDraft<Campaign, CampaignDraft> {
  const client = useClient();
  const queryClient = useQueryClient();
  const refresh = useRefreshCampaigns();
  return useSavedDraft<Campaign, CampaignDraft>({
    initial: campaign,
    draftOf,
    write: ({ id, channel }, revision, { audience, timing, test, ...draft }) =>
      client.updateCampaign({
        ...{ id, revision, ...draft, channel: channel === 'sms' ? 'sms' : 'email' },
        // As it was read, or chosen from what it may be.
        audience: audience && audience.any.length > 0 ? (audience as CampaignAudienceInput) : null,
        timing: timing as CampaignTimingInput | null,
        test: test as CampaignTestInput | null,
      }),
    read: ({ id }) => client.getCampaign({ id }),
    keep: (after) => {
      queryClient.setQueryData(['getCampaign', { id: after.id }], after);
      void refresh();
    },
  });
}
