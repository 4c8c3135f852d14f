import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useClient } from '../../api/client.tsx';
import { Confirmation } from '../../components/confirmation.tsx';
import { useRefreshSegments } from './use-segments.ts';

/** Asks once more, then deletes a segment. */
export function DeleteSegment({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshSegments();
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: () => client.deleteSegment({ id }),
    onSuccess: async () => {
      navigate('/segments');
      notifications.show({ title: 'Deleted', message: `The segment “${name}” is gone.` });
      await refresh();
    },
  });
  return (
    <Confirmation
      title={`Delete “${name}”?`}
      verb="Delete"
      failure="The segment was not deleted"
      action={deletion}
      onClose={onClose}
    >
      The segment is gone permanently, with its changes. The customers themselves stay.
    </Confirmation>
  );
}
