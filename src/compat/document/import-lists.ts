/** Names that are kept of a job: more than a store has lists. */
const MAX_NAMES = 1_000;
/** Characters of the longest name that a list may have. */
const MAX_LENGTH = 255;

/**
 * Returns how the `relationships.lists` of an import name lists, each once. Clients send it in any form, and it was always
 * accepted: what is no list of types and ids names none.
 */
export function namedLists(resource: object): string[] {
  const references = member(member(member(resource, 'relationships'), 'lists'), 'data');
  if (!Array.isArray(references)) return [];
  const names = references.map((reference) => member(reference, 'id')).filter((id) => typeof id === 'string');
  const possible = names.filter((name) => name !== '' && name.length <= MAX_LENGTH && !name.includes('\0'));
  return [...new Set(possible)].filter((name) => name.isWellFormed()).slice(0, MAX_NAMES);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
