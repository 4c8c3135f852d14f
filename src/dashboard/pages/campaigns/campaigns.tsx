import { Anchor, Badge, Button, Select } from '@mantine/core';
import { MegaphoneIcon, PlusIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { Arguments, Campaign } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useNewDialog } from '../../components/use-new-dialog.ts';
import { colorOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { useFilters } from '../../use-filters.ts';
import { CreateCampaign } from './create-campaign.tsx';
import { campaignPath } from './use-campaigns.ts';
import { STATUS_COLORS } from './words.ts';

/** Milliseconds. */
const REFRESH_MS = 5_000;

const COLUMNS: readonly Column<Campaign>[] = [
  {
    header: 'Name',
    isWholeLine: true,
    render: ({ id, name }) => (
      <Anchor component={Link} to={campaignPath(id)} size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Anchor>
    ),
  },
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
  const [{ status }, change] = useFilters(['status']);
  const filter = status === undefined ? {} : ({ status } as Arguments<'listCampaigns'>);
  const query = useRows('listCampaigns', filter, ({ campaigns }) => campaigns, { refetchInterval: REFRESH_MS });
  const mayWrite = useAllows('messages:write');
  const [isCreating, { open, close }] = useNewDialog();
  return (
    <Page
      title="Campaigns"
      description="What is sent to everybody in an audience, once."
      actions={
        mayWrite && (
          <Button leftSection={<PlusIcon />} onClick={open}>
            Create a campaign
          </Button>
        )
      }
    >
      <Section
        title="Campaigns of this store"
        actions={
          <Select
            aria-label="Status"
            placeholder="Any status"
            data={Object.keys(STATUS_COLORS)}
            value={status ?? null}
            onChange={(value) => change({ status: value ?? undefined })}
            clearable
            w={160}
          />
        }
      >
        <Loaded query={query}>
          {(campaigns) =>
            campaigns.length > 0 ? (
              <DataTable
                label="Campaigns"
                columns={COLUMNS}
                rows={campaigns}
                rowKey={({ id }) => id}
                rowTo={({ id }) => campaignPath(id)}
                pages={query}
                minWidth={620}
              />
            ) : status === undefined ? (
              <Empty
                icon={<MegaphoneIcon size={24} />}
                title="No campaigns yet"
                description="Publish a template, then create a campaign that sends it to a list or a segment."
              />
            ) : (
              <Empty title="No campaigns have this status" />
            )
          }
        </Loaded>
      </Section>
      {isCreating && <CreateCampaign onClose={close} />}
    </Page>
  );
}
