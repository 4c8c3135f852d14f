import { Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { WebhookEndpoint } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { EndpointForm, type EndpointValues } from './endpoint-form.tsx';
import { useRefreshWebhooks } from './use-endpoints.ts';

/** Changes the name, the URL and the limits of an endpoint. */
export function EditEndpoint({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  const { id, url, name, max_per_second, max_concurrent, secret_headers } = endpoint;
  const update = useMutation({
    mutationFn: (values: EndpointValues) => client.updateWebhookEndpoint({ id, ...values }),
    onSuccess: async (after) => {
      onClose();
      notifications.show({ title: after.name, message: 'The endpoint is changed.' });
      await refresh();
    },
  });
  return (
    <Modal opened onClose={onClose} size="lg" title={`Edit “${name}”`}>
      <EndpointForm
        initial={{ url, name, max_per_second, max_concurrent, secret_headers }}
        onSubmit={update.mutate}
        error={update.error}
        isPending={update.isPending}
        submit="Save"
      />
    </Modal>
  );
}
