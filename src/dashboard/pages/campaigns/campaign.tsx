import { Alert, Badge } from '@mantine/core';
import { useParams } from 'react-router';
import type { Campaign as CampaignData } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { PageOfOne } from '../../components/page-of-one.tsx';
import { Time } from '../../components/time.tsx';
import { colorOf, wordsOf } from '../../components/words-of.ts';
import { CampaignActions } from './campaign-actions.tsx';
import { EditCampaign } from './edit-campaign.tsx';
import { Results } from './results.tsx';
import { PAUSE_WORDS, STATUS_COLORS, STATUS_WORDS } from './words.ts';

/** Milliseconds. */
const REFRESH_MS = 2_000;

/** One campaign: its draft in four steps, or what became of it. */
export function Campaign() {
  const { campaignId = '' } = useParams();
  const query = useOperation('getCampaign', { id: campaignId }, { refetchInterval: REFRESH_MS });
  const { data } = query;
  return (
    <PageOfOne
      query={query}
      kind="Campaign"
      all="All campaigns"
      to="/campaigns"
      title={data?.name}
      state={
        data && (
          <Badge component="span" color={colorOf(STATUS_COLORS, data.status)}>
            {data.status}
          </Badge>
        )
      }
      actions={data && <CampaignActions campaign={data} />}
    >
      {(campaign) =>
        campaign.status === 'draft' ? (
          <EditCampaign key={campaign.id} campaign={campaign} />
        ) : (
          <>
            <State campaign={campaign} />
            {campaign.started_at !== null && <Results campaign={campaign} />}
          </>
        )
      }
    </PageOfOne>
  );
}

function State({ campaign: { status, reason, scheduled_at } }: { campaign: CampaignData }) {
  const isHeldUp = status === 'paused' || status === 'held' || status === 'missed';
  return (
    <Alert color={isHeldUp ? 'yellow' : 'gray'} role="status">
      {wordsOf(STATUS_WORDS, status)} {reason !== null && reasonWords(reason)}
      {status === 'scheduled' && scheduled_at !== null && (
        <>
          {' '}
          It begins <Time value={scheduled_at} />.
        </>
      )}
    </Alert>
  );
}

/** What follows a colon is said by the service. */
function reasonWords(reason: string): string {
  const [code = '', ...more] = reason.split(': ');
  return more.length > 0 ? `${more.join(': ')}.` : wordsOf(PAUSE_WORDS, code);
}
