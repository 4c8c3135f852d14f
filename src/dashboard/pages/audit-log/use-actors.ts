import { useOperation } from '../../api/operations.ts';
import type { Named } from '../../components/named-select.tsx';
import { useAllows } from '../../session/current-caller.tsx';

/** The people and the keys of the store, up to a hundred of each; undefined while they are read. */
export function useActors(): Named[] | undefined {
  const mayListKeys = useAllows('keys:manage');
  const people = useOperation('listPeople', { limit: 100 }).data?.people;
  const keys = useOperation('listApiKeys', { limit: 100 }, { enabled: mayListKeys }).data?.api_keys;
  if (!people || (mayListKeys && !keys)) return undefined;
  return [...people, ...(keys ?? []).map(({ id, name }) => ({ id, name: `${name} (key)` }))];
}
