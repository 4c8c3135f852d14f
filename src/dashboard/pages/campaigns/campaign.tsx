import { Alert, Anchor, Badge, Group } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { type Campaign as CampaignData, FootfallError } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Page } from '../../components/page.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
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
  const all = (
    <Anchor component={Link} to="/campaigns" inherit underline="always">
      All campaigns
    </Anchor>
  );
  if (query.error instanceof FootfallError && query.error.code === 'not_found') {
    return (
      <Page title="Campaign">
        <Empty title="Campaign not found" action={all} />
      </Page>
    );
  }
  const { data } = query;
  return (
    <Page
      title={data?.name ?? 'Campaign'}
      description={
        <Group component="span" gap="xs">
          {data && (
            <Badge component="span" color={colorOf(STATUS_COLORS, data.status)}>
              {data.status}
            </Badge>
          )}
          {all}
        </Group>
      }
      actions={data && <CampaignActions campaign={data} />}
    >
      <Loaded query={query}>
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
      </Loaded>
    </Page>
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
