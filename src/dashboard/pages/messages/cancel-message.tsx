import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useClient } from '../../api/client.tsx';
import { Confirmation } from '../../components/confirmation.tsx';
import { useRefreshMessages } from './use-messages.ts';

/** Asks once more, then keeps a message that waits from being sent. */
export function CancelMessage({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshMessages();
  const cancelling = useMutation({
    mutationFn: () => client.cancelMessage({ id }),
    onSuccess: async () => {
      onClose();
      notifications.show({ title: 'Cancelled', message: 'The message is not sent.' });
      await refresh();
    },
  });
  return (
    <Confirmation
      title="Cancel this message?"
      verb="Cancel the message"
      failure="It was not cancelled"
      action={cancelling}
      onClose={onClose}
    >
      It is not sent, now or later.
    </Confirmation>
  );
}
