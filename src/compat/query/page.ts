/** The links of a page, as clients of the third party read them: whole, or the parameter that they take out of them. */
export interface PageLinks {
  self: string;
  next: string | null;
  prev: null;
}

/**
 * Returns the links of a page at `address`: absolute, with one `?` and encoded brackets, and with all parameters of the
 * request, of which the link to the next page replaces the cursor. That link is null on the last page, but there.
 */
export function pageLinks(address: string, query: object, next: string | null): PageLinks {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  const link = (cursor?: string) => {
    const url = new URL(address);
    for (const [name, value] of parameters) url.searchParams.set(name, String(value));
    if (cursor !== undefined) url.searchParams.set('page[cursor]', cursor);
    return url.href;
  };
  return { self: link(), next: next === null ? null : link(next), prev: null };
}
