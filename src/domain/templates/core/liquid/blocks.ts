/** Tags that have an end, and those that divide them. */
export const BLOCKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['if', ['elsif', 'else']],
  ['unless', ['elsif', 'else']],
  ['case', ['when', 'else']],
  ['for', ['else']],
  ['capture', []],
]);

const DIVIDING = new Set([...BLOCKS.values()].flat());

export const isDividing = (name: string): boolean => DIVIDING.has(name);

/** The tag that an end belongs to. */
export function beginningOf(name: string): string | undefined {
  const block = name.startsWith('end') ? name.slice('end'.length) : '';
  return BLOCKS.has(block) ? block : undefined;
}
