/** Conditions of which all or any must hold, or one must not, down to the leaves, each of which looks at one thing. */
export type Tree<Leaf> = { all: readonly Tree<Leaf>[] } | { any: readonly Tree<Leaf>[] } | { not: Tree<Leaf> } | Leaf;

/** Steps from the root: names, and positions in lists. */
export type Path = readonly (string | number)[];

export interface PlacedLeaf<Leaf> {
  leaf: Leaf;
  path: Path;
  /** 1 for a leaf alone. */
  depth: number;
}

/** The leaves of a tree, in their order, with the path of each from `base`. */
export function* leavesOf<Leaf extends object>(
  tree: Tree<Leaf>,
  base: Path = [],
  depth = 1,
): Generator<PlacedLeaf<Leaf>> {
  if ('not' in tree) {
    yield* leavesOf(tree.not, [...base, 'not'], depth + 1);
  } else if ('all' in tree || 'any' in tree) {
    const [name, parts] = 'all' in tree ? (['all', tree.all] as const) : (['any', tree.any] as const);
    for (const [i, part] of parts.entries()) yield* leavesOf(part, [...base, name, i], depth + 1);
  } else {
    yield { leaf: tree, path: base, depth };
  }
}
