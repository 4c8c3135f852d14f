import type { Condition, Leaf } from '../../../definitions.ts';

/** How many of the parts of a group have to hold. */
export type Quantifier = 'all' | 'any' | 'none' | 'not_all';

export const QUANTIFIERS: Readonly<Record<Quantifier, string>> = {
  all: 'All of these',
  any: 'Any of these',
  none: 'None of these',
  not_all: 'Not all of these',
};

export interface Group {
  by: Quantifier;
  parts: readonly Condition[];
}

export function isLeaf(condition: Condition): condition is Leaf {
  return !('all' in condition || 'any' in condition || 'not' in condition);
}

/** A condition as a group; one comparison is a group of one. */
export function groupOf(condition: Condition | undefined): Group {
  if (!condition) return { by: 'all', parts: [] };
  if ('all' in condition) return { by: 'all', parts: condition.all };
  if ('any' in condition) return { by: 'any', parts: condition.any };
  if (!('not' in condition)) return { by: 'all', parts: [condition] };
  const { not } = condition;
  if ('all' in not) return { by: 'not_all', parts: not.all };
  return { by: 'none', parts: 'any' in not ? not.any : [not] };
}

/** The condition of a group within others. */
export function conditionOf({ by, parts }: Group): Condition {
  const [first, ...rest] = parts;
  switch (by) {
    case 'all':
      return { all: [...parts] };
    case 'any':
      return { any: [...parts] };
    case 'none':
      return { not: first && rest.length === 0 && isLeaf(first) ? first : { any: [...parts] } };
    case 'not_all':
      return { not: { all: [...parts] } };
  }
}

/** The condition of the outermost group: a single comparison stands for itself; undefined without any. */
export function wholeConditionOf(group: Group): Condition | undefined {
  const [first, ...rest] = group.parts;
  if (!first) return undefined;
  return group.by === 'all' && rest.length === 0 && isLeaf(first) ? first : conditionOf(group);
}
