import type { CompiledContent } from './compiled.ts';

/** What messages are told that has to be looked up in the catalog first, so only for templates that read it. */
const LOOKED_UP = [
  'event.items',
  'recommended.also_bought',
  'recommended.best_sellers',
  'recommended.buy_again',
  'recommended.recently_viewed',
] as const;

export type LookedUp = (typeof LOOKED_UP)[number];

/** Returns what of it is read in any language; all recommendations where they are read as a whole. */
export function lookedUpIn(contents: readonly CompiledContent[]): LookedUp[] {
  const read = contents.flatMap(({ paths }) => paths.map(({ path }) => path));
  return LOOKED_UP.filter((name) => {
    const [root, member] = name.split('.');
    return read.some(([first, second]) => {
      return first === root && (second === member || (second === undefined && root === 'recommended'));
    });
  });
}

type Kind<Name> = Name extends `recommended.${infer Of}` ? Of : never;

/** Returns what of it is recommended for which reason. */
export function kindsIn(reads: readonly LookedUp[]): Set<Kind<LookedUp>> {
  const recommended = reads.filter((name) => name.startsWith('recommended.'));
  return new Set(recommended.map((name) => name.slice('recommended.'.length) as Kind<LookedUp>));
}
