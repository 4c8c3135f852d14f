import { Alert, Badge, Button, Group, List, Stack, Text } from '@mantine/core';
import { AlertIcon, ChecklistIcon } from '@primer/octicons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Sender, SenderCheck } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Section } from '../../components/section.tsx';
import { Failure } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { useRefreshSenders } from './use-senders.ts';
import { CHECK_WORDS, WARNING_WORDS } from './words.ts';

/** Whether what a sender sends is likely to arrive: what was looked at, in the order in which to mend it. */
export function Checks({ sender }: { sender: Sender }) {
  const { id, checks, checked_at, first_failing, warnings } = sender;
  const client = useClient();
  const queryClient = useQueryClient();
  const refresh = useRefreshSenders();
  const maySend = useAllows('messages:send') && sender.deleted_at === null;
  const checking = useMutation({
    mutationFn: () => client.checkSender({ id }),
    onSuccess: async (after) => {
      queryClient.setQueryData(['getSender', { id }], after);
      await refresh();
    },
  });
  return (
    <Section
      title="Deliverability"
      actions={
        maySend && (
          <Button
            size="xs"
            variant="default"
            leftSection={<ChecklistIcon />}
            onClick={() => checking.mutate()}
            loading={checking.isPending}
          >
            Check
          </Button>
        )
      }
    >
      {checking.error && <Failure error={checking.error} title="It was not checked" />}
      {first_failing && (
        <Alert color="yellow" icon={<AlertIcon />} title="Mend this first" role="status">
          {wordsOf(CHECK_WORDS, first_failing)}: {checks.find(({ name }) => name === first_failing)?.detail}
        </Alert>
      )}
      {warnings.map((warning) => (
        <Alert key={String(warning)} color="yellow" icon={<AlertIcon />} role="status">
          {wordsOf(WARNING_WORDS, String(warning))}
        </Alert>
      ))}
      {checks.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nobody has checked it since it was changed. It sends nothing before.
        </Text>
      ) : (
        <>
          <List listStyleType="none" spacing="md" aria-label="Checks">
            {checks.map((check) => (
              <List.Item key={check.name}>
                <Found check={check} />
              </List.Item>
            ))}
          </List>
          {checked_at && (
            <Text size="xs" c="dimmed">
              Checked <Time value={checked_at} />
            </Text>
          )}
        </>
      )}
    </Section>
  );
}

function Found({ check: { name, ok, detail } }: { check: SenderCheck }) {
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Badge color={ok ? 'green' : 'red'}>{ok ? 'holds' : 'does not hold'}</Badge>
        <Text size="sm" fw={500}>
          {wordsOf(CHECK_WORDS, name)}
        </Text>
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {detail}
      </Text>
    </Stack>
  );
}
