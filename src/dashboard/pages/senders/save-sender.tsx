import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Sender } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { SaveDialog } from '../../components/save-dialog.tsx';
import { SENDER_FIELDS, SenderFields } from './sender-fields.tsx';
import { inputOf, isUnfinished, NEW_SENDER, valuesOf } from './sender-values.ts';
import { senderPath, useRefreshSenders } from './use-senders.ts';

/** Creates a sender, or changes one. */
export function SaveSender({ sender, onClose }: { sender?: Sender; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshSenders();
  const [values, setValues] = useState(() => (sender ? valuesOf(sender) : NEW_SENDER));
  const save = () => {
    const input = inputOf(values);
    const { kind } = values;
    if (sender) return client.updateSender({ id: sender.id, ...input });
    return client.createSender({ ...input, kind: kind === 'outbox' ? 'smtp' : kind, settings: input.settings ?? {} });
  };
  return (
    <SaveDialog
      what="sender"
      changed={sender?.name}
      size="lg"
      fields={SENDER_FIELDS}
      isDisabled={isUnfinished(values)}
      save={save}
      refresh={refresh}
      pathOf={senderPath}
      onSaved={({ name }) =>
        notifications.show({ title: name, message: 'The sender is saved. Check it before it sends.' })
      }
      onClose={onClose}
    >
      {(wrong) => (
        <SenderFields
          isNew={!sender}
          hasPassword={sender?.settings?.password_set ?? false}
          values={values}
          onChange={(changed) => setValues({ ...values, ...changed })}
          wrong={wrong}
        />
      )}
    </SaveDialog>
  );
}
