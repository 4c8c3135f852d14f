import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { ShieldLockIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { CopyableCode } from '../../components/copyable-code.tsx';

/** A secret that was made, and what it is for. */
export function NewSecret({
  secret,
  onDone,
  children,
}: {
  secret: string | null;
  onDone: () => void;
  children?: ReactNode;
}) {
  return (
    <Stack>
      <Alert color="yellow" icon={<ShieldLockIcon />} title="Copy it now" role="status">
        It is shown only this once. If it is lost, rotate it.
      </Alert>
      <CopyableCode code={secret ?? 'It has been replaced since.'} label="The secret" />
      {children}
      <Text size="sm">
        Your system verifies with it that a message is from here, and unchanged.{' '}
        <Anchor href="/docs/webhooks#verify-it" target="_blank" inherit underline="always">
          How to verify
        </Anchor>
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>I have copied it</Button>
      </Group>
    </Stack>
  );
}
