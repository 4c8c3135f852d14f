import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useTitle } from '../use-title.ts';

/**
 * A page: its heading, what can be done on it, and its content. Whoever comes to it from another page finds the focus
 * on its heading, as with a page that was loaded.
 */
export function Page({
  title,
  description,
  actions,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(useLocation().key === 'default');
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus();
  }, []);

  return (
    <Stack gap="lg" maw={1280} mx="auto">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box miw={0}>
          <Title order={1} ref={heading} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm" mt={2}>
              {description}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
