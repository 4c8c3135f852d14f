import { useSearchParams } from 'react-router';

type Filters<Name extends string> = { [N in Name]?: string };

/** What a select has that chooses one of them, or none. */
interface Choice {
  value: string | null;
  onChange: (value: string | null) => void;
  clearable: true;
}

/** Filters that live in the address, so that they can be bookmarked, shared, and gone back to. An empty one is none. */
export function useFilters<Name extends string>(
  names: readonly Name[],
): [Filters<Name>, (change: { [N in Name]?: string | undefined }) => void, (name: Name) => Choice] {
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
  const choice = (name: Name): Choice => ({
    value: filters[name] ?? null,
    onChange: (value) => change({ [name]: value ?? undefined } as { [N in Name]?: string | undefined }),
    clearable: true,
  });
  return [filters, change, choice];
}
