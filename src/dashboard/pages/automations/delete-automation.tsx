import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Automation } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Failure } from '../../components/states.tsx';
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
  const refresh = useRefresh();
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: () => client.deleteAutomation({ id }),
    onSuccess: async () => {
      navigate('/automations');
      notifications.show({ title: 'Deleted', message: `The automation “${name}” is gone.` });
      await refresh();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Delete “${name}”?`}>
      <Stack>
        <Text size="sm">The automation is gone permanently. It never ran, so nothing else goes with it.</Text>
        {deletion.error && <Failure error={deletion.error} title="The automation was not deleted" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={deletion.isPending} onClick={() => deletion.mutate()}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
