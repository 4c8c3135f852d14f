import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useClient } from '../../api/client.tsx';
import { Failure } from '../../components/states.tsx';
import { useRefreshSegments } from './use-segments.ts';

/** Asks once more, then deletes a segment. */
export function DeleteSegment({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshSegments();
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: () => client.deleteSegment({ id }),
    onSuccess: async () => {
      navigate('/segments');
      notifications.show({ title: 'Deleted', message: `The segment “${name}” is gone.` });
      await refresh();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Delete “${name}”?`}>
      <Stack>
        <Text size="sm">The segment is gone permanently, with its changes. The customers themselves stay.</Text>
        {deletion.error && <Failure error={deletion.error} title="The segment was not deleted" />}
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
