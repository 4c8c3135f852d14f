/** Code points of a name that are searched; an index holds no more. */
const MAX_LENGTH = 100;

/** The names by which a customer is found, as `searchable` makes them; null where there is none. */
export interface SearchableNames {
  /** Of the attributes `first_name` and `last_name`, as far as there are any. */
  fullName: string | null;
  /** Null where the full name begins with it. */
  lastName: string | null;
}

/** Returns what the columns of the same names hold for a profile with some attributes. */
export function searchableNames({
  first_name,
  last_name,
}: {
  first_name?: unknown;
  last_name?: unknown;
}): SearchableNames {
  if (first_name === undefined && last_name === undefined) return { fullName: null, lastName: null };
  const [first, last] = [textOf(first_name), textOf(last_name)];
  return {
    fullName: searchable(`${first} ${last}`) || null,
    lastName: (first !== '' && searchable(last)) || null,
  };
}

/** Returns a name, or the beginning of one, as it is compared: without white space around it, and in lower case. */
export function searchable(name: string): string {
  // A code point has two units at most. What is left out can't be in the result, however long the name is.
  const lower = name
    .trim()
    .slice(0, 2 * MAX_LENGTH)
    .toLowerCase();
  return lower.length <= MAX_LENGTH ? lower : Array.from(lower).slice(0, MAX_LENGTH).join('');
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
