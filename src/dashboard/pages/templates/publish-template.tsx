import { Alert, Anchor, List, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { OutdatedTemplate, Template } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { TemplateProblems } from './template-problems.tsx';
import { templatePath, useRefreshTemplates } from './use-templates.ts';

/** Makes the draft the next version; then says which templates hold an older copy of it, if any do. */
export function PublishTemplate({ template, onClose }: { template: Template; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshTemplates();
  // What is shown is what is published, whatever somebody else does meanwhile.
  const [{ id, name, use, revision, version, problems }] = useState(template);
  const publication = useMutation({
    mutationFn: () => client.publishTemplate({ id, revision }),
    onSuccess: async ({ number, outdated }) => {
      if (outdated.length === 0) onClose();
      notifications.show({ title: name, message: `Version ${number} is published.` });
      await refresh();
    },
  });
  const { data } = publication;
  return (
    <Modal opened onClose={onClose} size="lg" title={data ? 'Older copies' : `Publish “${name}”?`}>
      {data ? (
        <Outdated templates={data.outdated} use={use} onClose={onClose} />
      ) : (
        <ActionForm
          verb="Publish"
          failure="It was not published"
          error={publication.error}
          isPending={publication.isPending}
          isDisabled={problems.some(({ severity }) => severity === 'error')}
          onCancel={onClose}
          onSubmit={publication.mutate}
        >
          <TemplateProblems problems={problems} />
          <Text size="sm">
            {version === null ? 'This is the first version.' : `Version ${version} stays as it is.`} What is sent from
            now on says what is in the new one, with its layout and its snippets as they are published now.
          </Text>
        </ActionForm>
      )}
    </Modal>
  );
}

function Outdated({
  templates,
  use,
  onClose,
}: {
  templates: readonly OutdatedTemplate[];
  use: string;
  onClose: () => void;
}) {
  return (
    <ActionForm verb="Close" failure="" error={null} isPending={false} onSubmit={onClose}>
      <Alert color="yellow" role="status">
        These templates go on with the {use} as it was. Publish them again to have them change.
      </Alert>
      <List size="sm" aria-label="Templates with an older copy">
        {templates.map(({ id, name }) => (
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
            <Anchor component={Link} to={templatePath(id)} inherit underline="always" onClick={onClose}>
              {name}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </ActionForm>
  );
}
