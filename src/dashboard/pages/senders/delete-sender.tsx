import type { Sender } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Deletion } from '../../components/deletion.tsx';
import { useRefreshSenders } from './use-senders.ts';

/** Asks once more, then deletes a sender. */
export function DeleteSender({ sender: { id, name }, onClose }: { sender: Sender; onClose: () => void }) {
  const client = useClient();
  return (
    <Deletion
      kind="sender"
      name={name}
      remove={() => client.deleteSender({ id })}
      refresh={useRefreshSenders()}
      leadsTo="/senders"
      done={`Nothing is sent by “${name}” any more.`}
      onClose={onClose}
    >
      Nothing is sent by it any more, permanently, and its password is erased. What waits for it fails.
    </Deletion>
  );
}
