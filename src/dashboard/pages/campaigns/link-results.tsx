import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Campaign, CampaignLink } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { MailFrame } from '../../mail/mail-frame.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { useTemplates } from '../templates/use-templates.ts';
import { withClicks } from './links-in-mail.ts';

const COLUMNS: readonly Column<CampaignLink>[] = [
  { header: 'Link', isWholeLine: true, render: ({ number, url }) => `${number}. ${url}` },
  { header: 'Clicks', width: 110, align: 'right', render: ({ click_count: clicks }) => count(clicks) },
  { header: 'By programs', width: 130, align: 'right', render: ({ machine_click_count: some }) => count(some) },
];

/** How often each link was followed: in a list, and in the message where it stands. */
export function LinkResults({ campaign, links }: { campaign: Campaign; links: readonly CampaignLink[] }) {
  const templates = useTemplates();
  const byTemplate = [...Map.groupBy(links, ({ template_id: id }) => id)];
  if (campaign.channel !== 'email') return null;
  return (
    <Section title="Links">
      {byTemplate.length === 0 && (
        <Text size="sm" c="dimmed">
          Nobody has followed a link so far.
        </Text>
      )}
      {byTemplate.map(([id, some]) => {
        const name = templates?.find((one) => one.id === id)?.name ?? id;
        return (
          <OfTemplate key={id} campaign={campaign} id={id} name={name} links={some} isOne={byTemplate.length === 1} />
        );
      })}
    </Section>
  );
}

function OfTemplate({
  campaign,
  id,
  name,
  links,
  isOne,
}: {
  campaign: Campaign;
  id: string;
  name: string;
  links: readonly CampaignLink[];
  isOne: boolean;
}) {
  const [isShown, { toggle }] = useDisclosure();
  const mayShow = useAllows('events:read', 'profiles:read');
  const version = versionOf(campaign, id);
  const label = isOne ? 'Links' : `Links of ${name}`;
  return (
    <Stack gap="xs">
      {!isOne && (
        <Text size="sm" fw={500}>
          {name}
        </Text>
      )}
      <DataTable label={label} columns={COLUMNS} rows={links} rowKey={({ number }) => String(number)} minWidth={480} />
      {mayShow && version !== null && (
        <>
          <Group>
            <Button size="xs" variant="default" aria-expanded={isShown} onClick={toggle}>
              {isShown ? 'Hide the message' : 'Show them in the message'}
            </Button>
          </Group>
          {isShown && <InMessage id={id} version={version} links={links} />}
        </>
      )}
    </Stack>
  );
}

/** That which was sent; null where that is not known. */
function versionOf({ template_id, template_version, test }: Campaign, id: string): number | null {
  if (id === template_id) return template_version;
  return test?.variants.find((one) => one.template_id === id)?.template_version ?? null;
}

/** As somebody would get it of whom nothing is known. */
function InMessage({ id, version, links }: { id: string; version: number; links: readonly CampaignLink[] }) {
  const query = useOperation('renderTemplate', { id, version });
  return (
    <Loaded query={query}>
      {({ html, links: all, failure }) =>
        failure || html === null ? (
          <Alert color="yellow" title="It can not be shown without a customer" role="status">
            {failure?.message}
          </Alert>
        ) : (
          <MailFrame html={withClicks(html, all, links)} title="The message with the clicks of its links" />
        )
      }
    </Loaded>
  );
}
