import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { SearchIcon } from '@primer/octicons-react';
import { Palette } from './palette.tsx';

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);
const KEYS = IS_APPLE ? '⌘K' : 'Ctrl K';

/** Opens the search, on whatever page: by a button, or by Ctrl-K (⌘K), also from within a field. */
export function Search() {
  const [isOpen, { open, close, toggle }] = useDisclosure();
  useHotkeys([['mod+K', toggle]], []);
  return (
    <>
      <Button
        variant="default"
        leftSection={<SearchIcon />}
        rightSection={<Kbd size="xs">{KEYS}</Kbd>}
        onClick={open}
        visibleFrom="md"
        aria-keyshortcuts="Control+K Meta+K"
      >
        Search
      </Button>
      <ActionIcon variant="default" size="lg" aria-label="Search" onClick={open} hiddenFrom="md">
        <SearchIcon />
      </ActionIcon>
      {isOpen && <Palette onClose={close} />}
    </>
  );
}
