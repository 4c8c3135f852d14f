import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { List } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Confirmation } from '../../components/confirmation.tsx';
import { count } from '../../components/numbers.ts';
import { useRefreshLists } from './use-lists.ts';

/** Asks once more, then deletes a list. */
export function DeleteList({
  list: { id, name, member_count: members },
  onClose,
}: {
  list: List;
  onClose: () => void;
}) {
  const client = useClient();
  const refresh = useRefreshLists();
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: () => client.deleteList({ id }),
    onSuccess: async () => {
      navigate('/lists');
      notifications.show({ title: 'Deleted', message: `The list “${name}” is gone.` });
      await refresh();
    },
  });
  return (
    <Confirmation
      title={`Delete “${name}”?`}
      verb="Delete"
      failure="The list was not deleted"
      action={deletion}
      onClose={onClose}
    >
      The list is gone permanently, and that its {count(members)} members were in it. The customers themselves stay, and
      so does what they have consented to.
    </Confirmation>
  );
}
