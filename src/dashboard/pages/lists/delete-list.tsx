import type { List } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Deletion } from '../../components/deletion.tsx';
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
  return (
    <Deletion
      kind="list"
      name={name}
      remove={() => client.deleteList({ id })}
      refresh={useRefreshLists()}
      leadsTo="/lists"
      onClose={onClose}
    >
      The list is gone permanently, and that its {count(members)} members were in it. The customers themselves stay, and
      so does what they have consented to.
    </Deletion>
  );
}
