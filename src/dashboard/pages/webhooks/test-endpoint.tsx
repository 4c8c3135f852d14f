import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { WebhookEndpoint } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Failure, Loading } from '../../components/states.tsx';
import { AttemptResult } from './deliveries/attempts.tsx';
import { deliveryPath } from './deliveries/delivery-table.tsx';
import { useRefreshWebhooks } from './use-endpoints.ts';

/** Sends a message to an endpoint, and shows what it answers. */
export function TestEndpoint({ endpoint: { id, name }, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  const test = useMutation({ mutationFn: () => client.testWebhookEndpoint({ id }), onSuccess: refresh });
  const { mutate, data, error, isPending } = test;
  const isSent = useRef(false);
  useEffect(() => {
    // Once, though React may call this twice.
    if (!isSent.current) mutate();
    isSent.current = true;
  }, [mutate]);
  const [attempt] = data?.attempts ?? [];
  return (
    <Modal opened onClose={onClose} size="lg" title={`Test “${name}”`}>
      <Stack>
        <Text size="sm">
          A message of the type webhook.test is sent, this once. It does not count for the health of the endpoint.
        </Text>
        {isPending && <Loading rows={2} />}
        {error && <Failure error={error} title="The test was not sent" />}
        {!isPending && attempt && (
          <Stack gap="xs" role="status">
            <AttemptResult attempt={attempt} />
          </Stack>
        )}
        <Group justify="flex-end">
          {data && (
            <Anchor component={Link} to={deliveryPath(data)} size="sm" mr="auto">
              What was sent
            </Anchor>
          )}
          <Button variant="default" onClick={() => mutate()} loading={isPending}>
            Send another
          </Button>
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
