import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Template } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Confirmation } from '../../components/confirmation.tsx';
import { useRefreshTemplates } from './use-templates.ts';

/** Asks once more, then puts a template away. */
export function ArchiveTemplate({ template: { id, name }, onClose }: { template: Template; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshTemplates();
  const archival = useMutation({
    mutationFn: () => client.archiveTemplate({ id }),
    onSuccess: async () => {
      onClose();
      notifications.show({ title: name, message: 'The template is archived.' });
      await refresh();
    },
  });
  return (
    <Confirmation
      title={`Archive “${name}”?`}
      verb="Archive"
      failure="The template was not archived"
      action={archival}
      onClose={onClose}
    >
      It can be neither changed nor published any more, nor be copied into others. What holds a version of it goes on
      with that. This is final.
    </Confirmation>
  );
}
