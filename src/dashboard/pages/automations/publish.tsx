import { Alert, Modal, Radio, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Automation, AutomationPublication } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { ActionForm } from '../../components/action-form.tsx';
import { count } from '../../components/numbers.ts';
import { Problems } from '../../components/problems.tsx';
import { Loaded } from '../../components/states.tsx';
import { known } from '../../definitions.ts';
import { useMessageTemplates } from '../templates/use-templates.ts';
import { Diff } from './diff.tsx';
import { pinned } from './emails/pinned.ts';
import { useRefresh } from './use-refresh.ts';
import { Warnings } from './warnings.tsx';

type InFlight = NonNullable<AutomationPublication['in_flight']>;

/** Makes the draft the next version, after showing what that changes and for whom. */
export function Publish({ automation, onClose }: { automation: Automation; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefresh();
  const [inFlight, setInFlight] = useState<InFlight>('keep');
  // What is shown is what is published, whatever somebody else does meanwhile.
  const [{ id, name, status, revision, version, draft, problems, warnings, active_runs }] = useState(automation);
  const publication = useMutation({
    mutationFn: () => client.publishAutomation({ id, revision, in_flight: inFlight }),
    onSuccess: async ({ number }) => {
      onClose();
      notifications.show({ title: name, message: `Version ${number} is published.` });
      await refresh();
    },
  });
  return (
    <Modal opened onClose={onClose} size="xl" title={`Publish “${name}”?`}>
      <ActionForm
        verb="Publish"
        failure="It was not published"
        error={publication.error}
        isPending={publication.isPending}
        isDisabled={problems.length > 0}
        onCancel={onClose}
        onSubmit={publication.mutate}
      >
        <Problems problems={problems} />
        <Warnings warnings={warnings} definition={known(draft)} />
        {version === null ? (
          <Text size="sm">
            This is the first version: the automation goes live with it, and what happens from then on starts runs.
          </Text>
        ) : (
          <>
            <Changes id={id} version={version} draft={draft} />
            {status !== 'live' && (
              <Alert color="gray" role="status">
                The automation stays {status}.
              </Alert>
            )}
            <Radio.Group
              label={`Active runs on earlier versions: ${count(active_runs)}`}
              value={inFlight}
              onChange={(value) => setInFlight(value as InFlight)}
            >
              <Stack gap="xs" mt="xs">
                <Radio value="keep" label="Keep" description="They stay on their version." />
                <Radio
                  value="move"
                  label="Move"
                  description="Those at a step that the new version has, too, go on with it; a date that they wait for stays."
                />
                <Radio value="exit" label="Exit" description="They end." />
              </Stack>
            </Radio.Group>
          </>
        )}
      </ActionForm>
    </Modal>
  );
}

function Changes({ id, version, draft }: { id: string; version: number; draft: Automation['draft'] }) {
  const latest = useOperation(
    'getAutomationVersion',
    { id, number: String(version) },
    { staleTime: Number.POSITIVE_INFINITY },
  );
  const templates = useMessageTemplates();
  return (
    <Loaded query={latest}>
      {({ definition }) => (
        <Diff
          before={known(definition)}
          after={pinned(known(draft), known(definition), templates)}
          label={`Changes since version ${version}`}
        />
      )}
    </Loaded>
  );
}
