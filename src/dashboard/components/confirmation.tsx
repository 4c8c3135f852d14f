import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './states.tsx';

/** Asks once more before something that can't be undone; says so where it was not done. */
export function Confirmation({
  title,
  verb,
  failure,
  action: { mutate, isPending, error },
  onClose,
  children,
}: {
  title: string;
  /** On the button. */
  verb: string;
  /** What is said if it was not done, above why. */
  failure: string;
  action: { mutate: () => void; isPending: boolean; error: Error | null };
  onClose: () => void;
  /** What comes of it. */
  children: ReactNode;
}) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack>
        <Text size="sm">{children}</Text>
        {error && <Failure error={error} title={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={isPending} onClick={() => mutate()}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
