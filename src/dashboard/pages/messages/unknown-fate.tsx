import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { AlertIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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
  const decide = async (decision: Choice) => {
    await client.resolveMessage({ id, decision });
    return DONE[decision];
  };
  const words = { resend: 'Send it again', leave: 'Leave it' };
  return (
    <Unknown title="Nobody knows whether it was sent" decide={decide} refresh={refresh} words={words}>
      {why_not && whyNotWords(why_not)}
    </Unknown>
  );
}

/** Has somebody decide about what may have been sent. `decide` returns what was done. */
export function Unknown({
  title,
  decide,
  refresh,
  words,
  children,
}: {
  title: string;
  decide: (choice: Choice) => Promise<string>;
  refresh: () => Promise<unknown>;
  words: Readonly<Record<Choice, string>>;
  children: ReactNode;
}) {
  const maySend = useAllows('messages:send');
  const { error, isPending, variables, mutate } = useMutation({
    mutationFn: decide,
    onSuccess: async (message) => {
      notifications.show({ title: 'Decided', message });
      await refresh();
    },
  });
  return (
    <Alert color="yellow" icon={<AlertIcon />} title={title} role="status">
      <Stack gap="sm">
        <Text size="sm">{children}</Text>
        {error && <Failure error={error} title="Nothing was decided" />}
        {maySend && (
          <Group gap="xs">
            {(['resend', 'leave'] as const).map((choice) => (
              <Button
                key={choice}
                size="xs"
                variant="default"
                onClick={() => mutate(choice)}
                loading={isPending && variables === choice}
                disabled={isPending}
              >
                {words[choice]}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
