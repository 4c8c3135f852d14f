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

/** A template as far as it says what it reads. */
interface Compiled {
  reads?: readonly LookedUp[];
  contents: Readonly<Record<string, Reads>>;
}

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

/** Items whose buyers a template asks for, at most. */
export const MAX_NAMED_ITEMS = 5;

/** Returns the items that it names in any language, as in `recommended.also_bought_with["TEA-1"]`. */
export function namedItemsIn(contents: readonly Reads[]): string[] {
  const paths = contents.flatMap((content) => content.paths.map(({ path }) => path));
  return [
    ...new Set(
      paths.flatMap(([root, member, id]) =>
        root === 'recommended' && member === 'also_bought_with' && id !== undefined ? [id] : [],
      ),
    ),
  ];
}

/** What is looked up for a template: a version that was published before versions said so is looked through. */
export function readsOf(compiled: Compiled): readonly LookedUp[] {
  return compiled.reads ?? lookedUpIn(Object.values(compiled.contents));
}

function needsCoupon({ paths }: Reads): boolean {
  const ofCoupon = paths.filter(({ path }) => path[0] === 'coupon');
  const isAskedFor = ofCoupon.some(({ path }) => path.length === 1);
  return !isAskedFor && ofCoupon.some(({ hasDefault }) => !hasDefault);
}

type Kind<Name> = Name extends `recommended.${infer Of}` ? Of : never;

/** What messages of a template recommend: for which reasons, and what is bought with which items. */
export interface Recommending {
  kinds: ReadonlySet<Kind<LookedUp>>;
  boughtWith: readonly string[];
}

/** Undefined for a template whose messages recommend nothing. */
export function recommendingOf(compiled: Compiled & { boughtWith?: readonly string[] }): Recommending | undefined {
  const recommended = readsOf(compiled).filter((name) => name.startsWith('recommended.'));
  const kinds = new Set(recommended.map((name) => name.slice('recommended.'.length) as Kind<LookedUp>));
  const { boughtWith = [] } = compiled;
  return kinds.size + boughtWith.length === 0 ? undefined : { kinds, boughtWith };
}
