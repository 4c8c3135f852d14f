/** What is read of the data, in a language. */
interface Reads {
  paths: readonly { path: readonly string[]; hasDefault: boolean }[];
}

/** What messages are told that is not known of every customer: looked up in the catalog first, or given by a run. */
const LOOKED_UP = [
  'coupon',
  'event.items',
  'recommended.also_bought',
  'recommended.best_sellers',
  'recommended.buy_again',
  'recommended.recently_viewed',
] as const;

export type LookedUp = (typeof LOOKED_UP)[number];

/**
 * Returns what of it is read in any language; all recommendations where they are read as a whole, and a coupon where nothing
 * stands for a missing one.
 */
export function lookedUpIn(contents: readonly Reads[]): LookedUp[] {
  const paths = contents.flatMap((content) => content.paths);
  const read = paths.map(({ path }) => path);
  return LOOKED_UP.filter((name) => {
    const [root, member] = name.split('.');
    if (name === 'coupon') return contents.some(needsCoupon);
    return read.some(([first, second]) => {
      return first === root && (second === member || (second === undefined && root === 'recommended'));
    });
  });
}

/** What is looked up for a template: a version that was published before versions said so is looked through. */
export function readsOf(compiled: {
  reads?: readonly LookedUp[];
  contents: Readonly<Record<string, Reads>>;
}): readonly LookedUp[] {
  return compiled.reads ?? lookedUpIn(Object.values(compiled.contents));
}

function needsCoupon({ paths }: Reads): boolean {
  const ofCoupon = paths.filter(({ path }) => path[0] === 'coupon');
  const isAskedFor = ofCoupon.some(({ path }) => path.length === 1);
  return !isAskedFor && ofCoupon.some(({ hasDefault }) => !hasDefault);
}

type Kind<Name> = Name extends `recommended.${infer Of}` ? Of : never;

/** Returns what of it is recommended for which reason. */
export function kindsIn(reads: readonly LookedUp[]): Set<Kind<LookedUp>> {
  const recommended = reads.filter((name) => name.startsWith('recommended.'));
  return new Set(recommended.map((name) => name.slice('recommended.'.length) as Kind<LookedUp>));
}
