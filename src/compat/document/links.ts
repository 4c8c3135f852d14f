/**
 * Returns the cursor in a `page[cursor]`: the third party's clients send the cursor alone, a part of the link around
 * it, or the whole link.
 */
export function readPageCursor(text: string): string {
  const query = URL.canParse(text) ? new URL(text).search : `page[cursor]=${text.replace(/^=/, '')}`;
  return new URLSearchParams(query).get('page[cursor]') ?? text;
}
