import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { SuppressedAddress } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Confirmation } from '../../components/confirmation.tsx';
import { useRefreshSuppressions } from './use-suppressions.ts';

/** Asks once more, then has an address sent to again. */
export function ReleaseAddress({ of: { id, address }, onClose }: { of: SuppressedAddress; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshSuppressions();
  const name = address ?? 'the address';
  const releasing = useMutation({
    mutationFn: () => client.releaseAddress({ id }),
    onSuccess: async () => {
      onClose();
      notifications.show({ title: 'Released', message: `Messages to ${name} are sent again.` });
      await refresh();
    },
  });
  return (
    <Confirmation
      title={`Send to ${name} again?`}
      verb="Release"
      failure="It was not released"
      action={releasing}
      onClose={onClose}
    >
      Do so only if you know that the address works, or that its owner wants to be written to: providers stop serving
      shops that go on. The consent of the customer who has it stays as it is.
    </Confirmation>
  );
}
