import { ActionIcon, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { PlusIcon, TrashIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';

export interface Note {
  text: string;
  isError: boolean;
}

/** A button that adds something to a group. */
export function Add({ text, to, onClick }: { text: string; to: string; onClick: () => void }) {
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<PlusIcon />}
      aria-label={to === '' ? undefined : `${text} to ${to}`}
      onClick={onClick}
    >
      {text}
    </Button>
  );
}

/** A condition or a group, and how to remove it. */
export function Framed({
  label,
  onRemove,
  children,
}: {
  label: string;
  onRemove: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <Paper component="fieldset" p={{ base: 'xs', sm: 'sm' }} withBorder aria-label={capitalized(label)} m={0} miw={0}>
      <Group gap="xs" align="flex-start" wrap="nowrap" justify="space-between">
        <Stack gap="xs" miw={0} flex={1}>
          {children}
        </Stack>
        {onRemove && (
          <ActionIcon variant="subtle" color="red" aria-label={`Remove ${label}`} onClick={onRemove}>
            <TrashIcon />
          </ActionIcon>
        )}
      </Group>
    </Paper>
  );
}

export function Notices({ notes = [] }: { notes: readonly Note[] | undefined }) {
  return notes.map(({ text, isError }) => (
    <Text
      key={text}
      size="xs"
      c={isError ? 'var(--mantine-color-error)' : 'var(--mantine-color-yellow-light-color)'}
      role={isError ? 'alert' : 'note'}
    >
      {text}
    </Text>
  ));
}

export const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
