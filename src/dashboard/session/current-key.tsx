import { Box, Text, VisuallyHidden } from '@mantine/core';
import type { CurrentApiKey, Scope } from '../../client/index.ts';
import { useOperation } from '../api/operations.ts';

/** The key that is signed in with, and its store; undefined until it is known. */
export function useCurrentKey(): CurrentApiKey | undefined {
  return useOperation('getCurrentApiKey', {}, { staleTime: Number.POSITIVE_INFINITY }).data;
}

/** Whether the key that is signed in with has scopes, all of them; not until that is known. */
export function useAllows(...scopes: Scope[]): boolean {
  const own = useCurrentKey()?.api_key.scopes;
  return own !== undefined && scopes.every((scope) => own.includes(scope));
}

/** Says which store is shown, and with which key. */
export function CurrentKey({ align }: { align?: 'right' }) {
  const current = useCurrentKey();
  if (!current) return null;
  const { store, api_key } = current;
  return (
    <Box ta={align} miw={0} maw={280} lh={1.25}>
      <Text size="sm" fw={600} truncate title={store.display_name ?? store.name} lh="inherit">
        <VisuallyHidden>Store: </VisuallyHidden>
        {store.display_name ?? store.name}
      </Text>
      <Text size="xs" c="dimmed" truncate title={api_key.name} lh="inherit">
        <VisuallyHidden>Key: </VisuallyHidden>
        {api_key.name}
      </Text>
    </Box>
  );
}
