import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Person } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { Failure } from '../../components/states.tsx';

/** Helps somebody who can not sign in any more: by a link for a new password, shown this once, or without the second factor. */
export function HelpPerson({ person, onClose }: { person: Person; onClose: () => void }) {
  const { id, name, has_second_factor: hasFactor } = person;
  const client = useClient();
  const queryClient = useQueryClient();
  const link = useMutation({ mutationFn: () => client.resetPassword({ id }) });
  const factor = useMutation({
    mutationFn: () => client.resetSecondFactor({ id }),
    onSuccess: async () => {
      onClose();
      notifications.show({ title: 'Second factor', message: `${name} signs in with the password alone.` });
      await queryClient.invalidateQueries({ queryKey: ['listPeople'] });
    },
  });
  const error = link.error ?? factor.error;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={`Help ${name} to sign in`}
      // A link that is shown this once is not to be lost by a slip.
      closeOnClickOutside={!link.data}
      closeOnEscape={!link.data}
    >
      <Stack>
        {link.data ? (
          <>
            <Text size="sm">
              Hand it over where nobody else reads it: whoever opens it chooses the password of {name}. It works once,
              for an hour, and is not shown again.
            </Text>
            <CopyableCode code={link.data.link} label="Link for a new password" />
            <Group justify="flex-end">
              <Button onClick={onClose}>Done</Button>
            </Group>
          </>
        ) : (
          <>
            <Text size="sm">Be sure that it is {name} who asks for it.</Text>
            {error && <Failure error={error} title="That was not done" />}
            <Group>
              <Button loading={link.isPending} onClick={() => link.mutate()}>
                Make a link for a new password
              </Button>
              {hasFactor && (
                <Button color="red" variant="light" loading={factor.isPending} onClick={() => factor.mutate()}>
                  Take the second factor away
                </Button>
              )}
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}
