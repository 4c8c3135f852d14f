import type { Automation } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Deletion } from '../../components/deletion.tsx';
import { useRefresh } from './use-refresh.ts';

/** Asks once more, then deletes an automation that never ran. */
export function DeleteAutomation({
  automation: { id, name },
  onClose,
}: {
  automation: Automation;
  onClose: () => void;
}) {
  const client = useClient();
  return (
    <Deletion
      kind="automation"
      name={name}
      remove={() => client.deleteAutomation({ id })}
      refresh={useRefresh()}
      leadsTo="/automations"
      onClose={onClose}
    >
      The automation is gone permanently. It never ran, so nothing else goes with it.
    </Deletion>
  );
}
