/** How often `npm run soak` repeats what depends on chance; it also tries all of each corpus. 0 in an ordinary run. */
export const SOAK_ROUNDS = Number(process.env.SOAK_ROUNDS ?? 0);
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * So many of the items, evenly spread, and the same ones in every run; all of them in `npm run soak`. Each `turn` begins
 * elsewhere, so that operations which share a corpus try all of it together.
 */
export function spread<Item>(items: readonly Item[], count: number, turn = 0): readonly Item[] {
  if (SOAK_ROUNDS > 0 || items.length <= count) return items;
  const start = (turn * GOLDEN) % 1;
  return Array.from({ length: count }, (_, k) => items[Math.floor(((k + start) * items.length) / count)] as Item);
}

/** Numbers that look random, the same each time. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
