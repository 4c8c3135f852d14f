import { Button, Group, Modal, Stack, Text } from '@mantine/core';

/** Asks before changes are lost. */
export function Discard({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Modal opened onClose={onStay} title="Leave without saving?">
      <Stack>
        <Text size="sm">What you have changed in this draft is lost.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onStay} data-autofocus>
            Stay
          </Button>
          <Button color="red" onClick={onLeave}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
