import { Box, NativeSelect, Text, VisuallyHidden } from '@mantine/core';
import type { Scope, Session } from '../../client/index.ts';
import { useOperation } from '../api/operations.ts';
import { switchStore } from './session.ts';

/** Who is signed in, a person or somebody with a key, and the store; undefined until it is known. */
export function useCaller(): Session | undefined {
  return useOperation('getSession', {}, { staleTime: Number.POSITIVE_INFINITY }).data;
}

/** Whether who is signed in has scopes, all of them; not until that is known. */
export function useAllows(...scopes: Scope[]): boolean {
  const own = useCaller()?.scopes;
  return own !== undefined && scopes.every((scope) => own.includes(scope));
}

/** Says which store is shown, and to whom; a person of several stores chooses there which one. */
export function CurrentCaller({ align }: { align?: 'right' }) {
  const current = useCaller();
  if (!current) return null;
  const { store, stores, kind, name } = current;
  const label = kind === 'key' ? 'Key: ' : 'Signed in: ';
  return (
    <Box ta={align} miw={0} maw={280} lh={1.25}>
      {stores.length > 1 ? (
        <NativeSelect
          size="xs"
          aria-label="Store"
          value={store.id}
          data={stores.map((one) => ({ value: one.id, label: one.name }))}
          onChange={({ currentTarget }) => void switchStore(currentTarget.value)}
        />
      ) : (
        <Text size="sm" fw={600} truncate title={store.display_name ?? store.name} lh="inherit">
          <VisuallyHidden>Store: </VisuallyHidden>
          {store.display_name ?? store.name}
        </Text>
      )}
      <Text size="xs" c="dimmed" truncate title={name} lh="inherit">
        <VisuallyHidden>{label}</VisuallyHidden>
        {name}
      </Text>
    </Box>
  );
}
