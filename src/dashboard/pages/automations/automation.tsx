import { Alert, Anchor, Badge, Button, Group } from '@mantine/core';
import { BeakerIcon, PencilIcon, UploadIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { type Automation as AutomationData, FootfallError } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Page } from '../../components/page.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { colorOf } from '../../components/words-of.ts';
import { type AutomationDefinition, known } from '../../definitions.ts';
import { useRange } from '../../range/use-range.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { EarnedBySteps } from '../messages/earned.tsx';
import { useMessageTemplates } from '../templates/use-templates.ts';
import { textOf } from './canonical.ts';
import { pinned } from './emails/pinned.ts';
import { Flow } from './flow.tsx';
import { Numbers } from './numbers.tsx';
import { Publish } from './publish.tsx';
import { Runs } from './runs/runs.tsx';
import { Schedule } from './schedule.tsx';
import { Simulate } from './simulate/simulate.tsx';
import { StatusMenu } from './status-menu.tsx';
import { Versions } from './versions.tsx';
import { STATUS_COLORS } from './words/reasons.ts';

/** Milliseconds. */
const REFRESH_MS = 5_000;

/** One automation: what it does, and what became of it. */
export function Automation() {
  const { automationId = '' } = useParams();
  const query = useOperation('getAutomation', { id: automationId }, { refetchInterval: REFRESH_MS });
  if (query.error instanceof FootfallError && query.error.code === 'not_found') return <NoAutomation />;
  const { data } = query;
  return (
    <Page
      title={data?.name ?? 'Automation'}
      description={data && <State automation={data} />}
      actions={data && <Actions automation={data} />}
    >
      <Loaded query={query}>{(automation) => <Details automation={automation} />}</Loaded>
    </Page>
  );
}

export function NoAutomation() {
  return (
    <Page title="Automation">
      <Empty
        title="Automation not found"
        action={
          <Anchor component={Link} to="/automations">
            All automations
          </Anchor>
        }
      />
    </Page>
  );
}

function State({ automation: { status, version } }: { automation: AutomationData }) {
  return (
    <Group component="span" gap="xs">
      <Badge component="span" color={colorOf(STATUS_COLORS, status)}>
        {status}
      </Badge>
      {version === null ? 'Never published' : `Version ${version}`}
    </Group>
  );
}

function Actions({ automation }: { automation: AutomationData }) {
  const mayWrite = useAllows('automations:write');
  const maySimulate = useAllows('automations:read', 'events:read', 'profiles:read');
  const [open, setOpen] = useState<'publish' | 'simulate'>();
  const { id, status } = automation;
  const close = () => setOpen(undefined);
  return (
    <>
      {maySimulate && (
        <Button variant="default" leftSection={<BeakerIcon />} onClick={() => setOpen('simulate')}>
          Simulate
        </Button>
      )}
      {mayWrite && status !== 'archived' && (
        <>
          <Button variant="default" leftSection={<PencilIcon />} component={Link} to={`/automations/${id}/edit`}>
            Edit
          </Button>
          <Button variant="default" leftSection={<UploadIcon />} onClick={() => setOpen('publish')}>
            Publish
          </Button>
          <StatusMenu automation={automation} />
        </>
      )}
      {open === 'publish' && <Publish automation={automation} onClose={close} />}
      {open === 'simulate' && <Simulate automation={automation} onClose={close} />}
    </>
  );
}

function Details({ automation }: { automation: AutomationData }) {
  const { id, version } = automation;
  const latest = useOperation(
    'getAutomationVersion',
    { id, number: String(version ?? 1) },
    { enabled: version !== null, staleTime: Number.POSITIVE_INFINITY },
  );
  const range = useRange();
  const shown = { id, from: range.first, to: range.last };
  const stats = useOperation('getAutomationStats', shown, { refetchInterval: REFRESH_MS });
  const mayReadCustomers = useAllows('automations:read', 'events:read', 'profiles:read');
  const mayReadMessages = useAllows('messages:read');
  const read = version === null ? automation.draft : latest.data?.definition;
  const draft = known(automation.draft);
  const definition = read && known(read);
  return (
    <>
      {definition && version !== null && <Unpublished draft={draft} definition={definition} />}
      <Numbers query={stats} range={range} />
      {mayReadMessages && <EarnedBySteps automationId={id} />}
      {definition ? (
        <Flow definition={definition} steps={stats.data?.steps} automationId={id} />
      ) : (
        <Loaded query={latest}>{() => null}</Loaded>
      )}
      {automation.schedule && <Schedule schedule={automation.schedule} />}
      {mayReadCustomers && <Runs automationId={id} definition={definition} />}
      {version !== null && <Versions automationId={id} latest={version} />}
    </>
  );
}

/** Says what publishing the draft would change. */
function Unpublished({ draft, definition }: { draft: AutomationDefinition; definition: AutomationDefinition }) {
  const templates = useMessageTemplates({
    enabled: draft.steps.some(({ type }) => type === 'send_email' || type === 'send_sms'),
  });
  const differs = (other: AutomationDefinition) => textOf(definition) !== textOf(other);
  const changed = differs(pinned(draft, definition, undefined));
  if (!changed && !differs(pinned(draft, definition, templates))) return null;
  return (
    <Alert color="gray" role="status">
      {changed
        ? 'The draft has changes that are not published.'
        : 'A template has a newer version, which is sent once the automation is published again.'}
    </Alert>
  );
}
