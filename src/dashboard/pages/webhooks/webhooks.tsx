import { Button, SegmentedControl } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PlusIcon, WebhookIcon } from '@primer/octicons-react';
import { useRows } from '../../api/operations.ts';
import { Page } from '../../components/page.tsx';
import { Listed } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { useFilters } from '../../use-filters.ts';
import { CreateEndpoint } from './create-endpoint.tsx';
import { EndpointTable } from './endpoint-table.tsx';

/** Milliseconds. */
const REFRESH_MS = 10_000;
const PAGE = 100;

/** Where automations send messages to, and how that goes. */
export function Webhooks() {
  const [{ show }, change] = useFilters(['show']);
  const isDeleted = show === 'deleted';
  const query = useRows('listWebhookEndpoints', { deleted: isDeleted, limit: PAGE }, ({ endpoints }) => endpoints, {
    refetchInterval: REFRESH_MS,
  });
  const [isCreating, { open, close }] = useDisclosure();
  return (
    <Page
      title="Webhooks"
      description="Systems of yours that automations send messages to: signed, and again until they are received."
      actions={
        <Button leftSection={<PlusIcon />} onClick={open}>
          Create an endpoint
        </Button>
      }
    >
      <Section
        title="Endpoints of this store"
        actions={
          <SegmentedControl
            aria-label="Which endpoints"
            size="xs"
            withItemsBorders={false}
            data={[
              { value: 'in-use', label: 'In use' },
              { value: 'deleted', label: 'Deleted' },
            ]}
            value={isDeleted ? 'deleted' : 'in-use'}
            onChange={(value) => change({ show: value === 'deleted' ? value : undefined })}
          />
        }
      >
        <Listed
          query={query}
          unmatched={isDeleted && 'No endpoint was deleted'}
          empty={
            <Empty
              icon={<WebhookIcon size={24} />}
              title="No endpoints yet"
              description="Create one for each system that is to learn of something, then choose it in the step of an automation."
            />
          }
        >
          {(endpoints) => <EndpointTable endpoints={endpoints} pages={query} />}
        </Listed>
      </Section>
      <CreateEndpoint opened={isCreating} onClose={close} />
    </Page>
  );
}
