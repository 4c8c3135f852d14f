import { Group, Paper, type PaperProps, Stack, Title } from '@mantine/core';
import { type ReactNode, type Ref, useId } from 'react';

/** A part of a page, under a heading of its own. */
export function Section({
  title,
  actions,
  children,
  ...props
}: PaperProps & { ref?: Ref<HTMLDivElement>; title: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} bg="var(--footfall-surface)" {...props}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Title order={2} id={id}>
            {title}
          </Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
