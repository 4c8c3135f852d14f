import { Button, Group, Stack, Text } from '@mantine/core';
import { CopyableCode } from '../../components/copyable-code.tsx';

/** Shows the codes, this once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        Keep them where you find them without your telephone. Each signs you in once in the place of a code of the app.
        They are not shown again.
      </Text>
      <CopyableCode code={codes.join('\n')} label="Recovery codes" />
      <Group justify="flex-end">
        <Button onClick={onClose}>I have kept them</Button>
      </Group>
    </Stack>
  );
}
