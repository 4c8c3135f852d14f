import { Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useClient } from '../../api/client.tsx';
import { EndpointForm, type EndpointValues } from './endpoint-form.tsx';
import { NewSecret } from './new-secret.tsx';
import { useRefreshWebhooks } from './use-endpoints.ts';

/** Creates an endpoint, then shows its secret: this once. */
export function CreateEndpoint({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  const creation = useMutation({
    mutationFn: ({ secret_headers, ...values }: EndpointValues) =>
      client.createWebhookEndpoint({
        ...values,
        secret_headers: secret_headers.map(({ name, value }) => ({ name, value: value ?? '' })),
      }),
    onSuccess: refresh,
  });
  const close = () => {
    onClose();
    creation.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={creation.data ? `The secret of “${creation.data.endpoint.name}”` : 'Create an endpoint'}
      // A secret that is shown this once is not to be lost by a slip.
      closeOnClickOutside={!creation.data}
      closeOnEscape={!creation.data}
    >
      {creation.data ? (
        <NewSecret secret={creation.data.secret} onDone={close} />
      ) : (
        <EndpointForm
          onSubmit={creation.mutate}
          error={creation.error}
          isPending={creation.isPending}
          submit="Create"
        />
      )}
    </Modal>
  );
}
