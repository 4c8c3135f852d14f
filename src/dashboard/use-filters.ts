import { useSearchParams } from 'react-router';

type Filters<Name extends string> = { [N in Name]?: string };

/** Filters that live in the address, so that they can be bookmarked, shared, and gone back to. An empty one is none. */
export function useFilters<Name extends string>(
  names: readonly Name[],
): [Filters<Name>, (change: { [N in Name]?: string | undefined }) => void] {
  const [params, setParams] = useSearchParams();
  const filters: Filters<Name> = {};
  for (const name of names) {
    const value = params.get(name);
    if (value) filters[name] = value;
  }
  const change = (changed: { [N in Name]?: string | undefined }) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries<string | undefined>(changed)) {
          if (value) before.set(name, value);
          else before.delete(name);
        }
        return before;
      },
      { replace: true },
    );
  return [filters, change];
}
