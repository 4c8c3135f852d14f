import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Person } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Confirmation } from '../../components/confirmation.tsx';

/** Asks once more, then removes a person from the store. */
export function RemovePerson({ person: { id, name }, onClose }: { person: Person; onClose: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const removal = useMutation({
    mutationFn: () => client.removePerson({ id }),
    onSuccess: async () => {
      onClose();
      notifications.show({ title: 'Removed', message: `${name} can not sign in to this store any more.` });
      await queryClient.invalidateQueries({ queryKey: ['listPeople'] });
    },
  });
  return (
    <Confirmation
      title={`Remove ${name}?`}
      verb="Remove"
      failure="The person was not removed"
      action={removal}
      onClose={onClose}
    >
      The person is signed out within a second. What they did stays, under their name; so do API keys that they made.
    </Confirmation>
  );
}
