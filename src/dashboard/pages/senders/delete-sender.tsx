import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Sender } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Deletion } from '../../components/deletion.tsx';
import { useRefreshSenders } from './use-senders.ts';

/** Asks once more, then deletes a sender. */
export function DeleteSender({ sender: { id, name }, onClose }: { sender: Sender; onClose: () => void }) {
  const client = useClient();
  const [fail_waiting, setFailing] = useState(false);
  return (
    <Deletion
      kind="sender"
      name={name}
      remove={() => client.deleteSender({ id, fail_waiting })}
      refresh={useRefreshSenders()}
      leadsTo="/senders"
      done={`Nothing is sent by “${name}” any more.`}
      onClose={onClose}
    >
      Nothing is sent by it any more, permanently, and its password is erased.
      <Checkbox
        mt="md"
        label="Let the messages fail that wait for it"
        description="Otherwise it is deleted only if none do."
        checked={fail_waiting}
        onChange={({ currentTarget }) => setFailing(currentTarget.checked)}
      />
    </Deletion>
  );
}
