import { Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Sender } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { SENDER_FIELDS, SenderFields } from './sender-fields.tsx';
import { inputOf, isUnfinished, NEW_SENDER, valuesOf } from './sender-values.ts';
import { senderPath, useRefreshSenders } from './use-senders.ts';

/** Creates a sender, or changes one. */
export function SaveSender({ sender, onClose }: { sender?: Sender; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshSenders();
  const navigate = useNavigate();
  const [values, setValues] = useState(() => (sender ? valuesOf(sender) : NEW_SENDER));
  const saving = useMutation({
    mutationFn: () => {
      const input = inputOf(values);
      const { kind } = values;
      if (sender) return client.updateSender({ id: sender.id, ...input });
      return client.createSender({
        ...input,
        kind: kind === 'outbox' ? 'smtp' : kind,
        settings: input.settings ?? {},
      });
    },
    onSuccess: async ({ id, name }) => {
      onClose();
      notifications.show({ title: name, message: 'The sender is saved. Check it before it sends.' });
      navigate(senderPath(id));
      await refresh();
    },
  });
  const { wrong, rest } = refusalOf(saving.error, SENDER_FIELDS);
  return (
    <Modal opened onClose={onClose} size="lg" title={sender ? `Edit “${sender.name}”` : 'Create a sender'}>
      <ActionForm
        verb={sender ? 'Save' : 'Create'}
        failure="The sender was not saved"
        error={rest}
        isPending={saving.isPending}
        isDisabled={isUnfinished(values)}
        onSubmit={saving.mutate}
      >
        <SenderFields
          isNew={!sender}
          hasPassword={sender?.settings?.password_set ?? false}
          values={values}
          onChange={(changed) => setValues({ ...values, ...changed })}
          wrong={wrong}
        />
      </ActionForm>
    </Modal>
  );
}
