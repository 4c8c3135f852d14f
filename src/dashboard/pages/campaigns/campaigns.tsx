import { Badge } from '@mantine/core';
import { MegaphoneIcon } from '@primer/octicons-react';
import type { Arguments, Campaign } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { count } from '../../components/numbers.ts';
import { OpenButton } from '../../components/open-button.tsx';
import { Page } from '../../components/page.tsx';
import { nameColumn, Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { colorOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { useFilters } from '../../use-filters.ts';
import { CreateCampaign } from './create-campaign.tsx';
import { campaignPath } from './use-campaigns.ts';
import { STATUS_COLORS } from './words.ts';

/** Milliseconds. */
const REFRESH_MS = 5_000;

const COLUMNS: readonly Column<Campaign>[] = [
  nameColumn(campaignPath),
  {
    header: 'Status',
    width: 120,
    render: ({ status }) => <Badge color={colorOf(STATUS_COLORS, status)}>{status}</Badge>,
  },
  {
    header: 'Recipients',
    width: 120,
    align: 'right',
    render: ({ recipient_count, started_at }) => (started_at === null ? '–' : count(recipient_count)),
  },
  {
    header: 'Begins, or began',
    width: 220,
    render: ({ scheduled_at, started_at }) => {
      const time = started_at ?? scheduled_at;
      return time === null ? '–' : <Time value={time} />;
    },
  },
];

/** What is sent to everybody in an audience, once. */
export function Campaigns() {
  const [filters, change] = useFilters(['status']);
  const query = useRows('listCampaigns', filters as Arguments<'listCampaigns'>, ({ campaigns }) => campaigns, {
    refetchInterval: REFRESH_MS,
  });
  const mayWrite = useAllows('messages:write');
  return (
    <Page
      title="Campaigns"
      description="What is sent to everybody in an audience, once."
      actions={
        mayWrite && <OpenButton text="Create a campaign">{(close) => <CreateCampaign onClose={close} />}</OpenButton>
      }
    >
      <Section
        title="Campaigns of this store"
        actions={
          <FilterSelect
            name="status"
            filters={filters}
            change={change}
            aria-label="Status"
            placeholder="Any status"
            data={Object.keys(STATUS_COLORS)}
            w={160}
          />
        }
      >
        <Rows
          query={query}
          label="Campaigns"
          columns={COLUMNS}
          to={campaignPath}
          minWidth={620}
          unmatched={filters.status && 'No campaigns have this status'}
          empty={
            <Empty
              icon={<MegaphoneIcon size={24} />}
              title="No campaigns yet"
              description="Publish a template, then create a campaign that sends it to a list or a segment."
            />
          }
        />
      </Section>
    </Page>
  );
}
