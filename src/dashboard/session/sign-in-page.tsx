import { Alert, Center, Group, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ColorSchemeToggle } from '../shell/color-scheme-toggle.tsx';
import { Logo } from '../shell/logo.tsx';
import { useTitle } from '../use-title.ts';

/** A page for those who are not signed in. */
export function SignInPage({ title, notice, children }: { title: string; notice?: ReactNode; children: ReactNode }) {
  useTitle(title);
  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--footfall-backdrop)">
      <Paper w="100%" maw={440} p="xl" shadow="sm" bg="var(--footfall-surface)">
        <Stack gap="lg">
          <Group justify="space-between">
            <Logo />
            <ColorSchemeToggle />
          </Group>
          <Title order={1}>{title}</Title>
          {notice && (
            <Alert color="yellow" role="status">
              {notice}
            </Alert>
          )}
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
