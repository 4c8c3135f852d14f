import { Divider, NavLink, ScrollArea, Stack, Text } from '@mantine/core';
import { BookIcon } from '@primer/octicons-react';
import { Link, useLocation } from 'react-router';
import { type MainPage, usePages } from './pages.ts';

/** `onNavigate` is called when a page is chosen. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { pages, reports, settings } = usePages();
  return (
    <>
      <ScrollArea flex={1}>
        <Stack gap={2}>
          {pages.map((page) => (
            <PageLink key={page.to} {...page} onClick={onNavigate} />
          ))}
          {reports.length > 0 && <Pages title="Reports" pages={reports} onNavigate={onNavigate} />}
          <Pages title="Settings" pages={settings} onNavigate={onNavigate} />
        </Stack>
      </ScrollArea>
      <Divider my="xs" />
      <NavLink href="/docs/reference/native" label="API reference" leftSection={<BookIcon />} />
    </>
  );
}

function Pages({ title, pages, onNavigate }: { title: string; pages: readonly MainPage[]; onNavigate: () => void }) {
  return (
    <>
      <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4}>
        {title}
      </Text>
      {pages.map((page) => (
        <PageLink key={page.to} {...page} onClick={onNavigate} />
      ))}
    </>
  );
}

function PageLink({ to, label, Icon, onClick }: MainPage & { onClick: () => void }) {
  const { pathname } = useLocation();
  const isCurrent = to === '/' ? pathname === '/' : pathname.startsWith(to);
  return (
    <NavLink
      component={Link}
      to={to}
      onClick={onClick}
      label={label}
      leftSection={<Icon />}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
    />
  );
}
