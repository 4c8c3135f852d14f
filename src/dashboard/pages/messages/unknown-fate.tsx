import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { AlertIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import type { Message } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Failure } from '../../components/states.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { useRefreshMessages } from './use-messages.ts';
import { whyNotWords } from './why-not.ts';

type Choice = 'resend' | 'leave';
const DONE: Readonly<Record<Choice, string>> = {
  resend: 'The message is sent once more.',
  leave: 'The message counts as sent.',
};

/** Explains a message of which nobody knows whether it was sent, and has somebody decide. */
export function UnknownFate({ message: { id, why_not } }: { message: Message }) {
  const client = useClient();
  const refresh = useRefreshMessages();
  const maySend = useAllows('messages:send');
  const resolution = useMutation({
    mutationFn: (decision: Choice) => client.resolveMessage({ id, decision }),
    onSuccess: async (_, choice) => {
      notifications.show({ title: 'Decided', message: DONE[choice] });
      await refresh();
    },
  });
  const { error, isPending, variables } = resolution;
  const button = (choice: Choice, text: string) => (
    <Button
      size="xs"
      variant="default"
      onClick={() => resolution.mutate(choice)}
      loading={isPending && variables === choice}
      disabled={isPending}
    >
      {text}
    </Button>
  );
  return (
    <Alert color="yellow" icon={<AlertIcon />} title="Nobody knows whether it was sent" role="status">
      <Stack gap="sm">
        <Text size="sm">{why_not && whyNotWords(why_not)}</Text>
        {error && <Failure error={error} title="Nothing was decided" />}
        {maySend && (
          <Group gap="xs">
            {button('resend', 'Send it again')}
            {button('leave', 'Leave it')}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
