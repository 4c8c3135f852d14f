import { ActionIcon, Anchor, AppShell, Box, Burger, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { SignOutIcon } from '@primer/octicons-react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { Search } from '../search/search.tsx';
import { CurrentCaller, useCaller } from '../session/current-caller.tsx';
import { signOut } from '../session/session.ts';
import { ColorSchemeToggle } from './color-scheme-toggle.tsx';
import { DisabledEndpoints } from './disabled-endpoints.tsx';
import { Held } from './held.tsx';
import { Logo } from './logo.tsx';
import { LowPools } from './low-pools.tsx';
import { Navigation } from './navigation.tsx';
import { TroubledFeeds } from './troubled-feeds.tsx';

const ACCOUNT = '/settings/account';

/** What is around every page. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const isLacking = useCaller()?.lacks_second_factor === true;
  const { pathname } = useLocation();
  // Nothing else can be read until there is a second factor.
  if (isLacking && pathname !== ACCOUNT) return <Navigate to={ACCOUNT} replace />;

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', lg: 'xl' }}
    >
      <Anchor href="#main" className="skip-link">
        Skip to content
      </Anchor>
      <AppShell.Header px="md" bg="var(--footfall-surface)">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
              aria-expanded={isOpen}
            />
            <Logo />
          </Group>
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Box visibleFrom="sm" miw={0} mr="xs">
              <CurrentCaller align="right" />
            </Box>
            {!isLacking && <Search />}
            <ColorSchemeToggle />
            <Button variant="default" leftSection={<SignOutIcon />} onClick={() => signOut()} visibleFrom="sm">
              Sign out
            </Button>
            <ActionIcon variant="default" size="lg" aria-label="Sign out" onClick={() => signOut()} hiddenFrom="sm">
              <SignOutIcon />
            </ActionIcon>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        className="navbar"
        data-closed={!isOpen || undefined}
        p="sm"
        bg="var(--footfall-surface)"
        aria-label="Pages"
      >
        <Box hiddenFrom="sm" px="sm" pb="sm">
          <CurrentCaller />
        </Box>
        {!isLacking && <Navigation onNavigate={close} />}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {!isLacking && (
          <>
            <Held />
            <DisabledEndpoints />
            <LowPools />
            <TroubledFeeds />
          </>
        )}
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
