import type { Condition, Leaf } from '../definitions.ts';

/** How many of the parts of a group must be true. */
export type By = 'all' | 'any' | 'none' | 'not_all';

export const BY: Readonly<Record<By, string>> = {
  all: 'all of these are true',
  any: 'any of these is true',
  none: 'none of these is true',
  not_all: 'not all of these are true',
};

/** A condition on its own, or its negation. */
export interface Row {
  leaf: Leaf;
  isNegated: boolean;
}

export interface Group {
  by: By;
  parts: readonly Part[];
  /** That of its parts. */
  place: string;
}

export interface Part {
  condition: Condition;
  /** Where it is in the definition, as the service names it. */
  place: string;
}

/** Undefined for a group. */
export function rowOf(condition: Condition): Row | undefined {
  const isNegated = 'not' in condition;
  const inner = isNegated ? condition.not : condition;
  return 'all' in inner || 'any' in inner || 'not' in inner ? undefined : { leaf: inner, isNegated };
}

export function fromRow({ leaf, isNegated }: Row): Condition {
  return isNegated ? { not: leaf } : leaf;
}

/** A condition at its place as a group; one on its own is a group of one. */
export function groupOf(condition: Condition | undefined, place = ''): Group {
  if (!condition) return { by: 'all', parts: [], place };
  if (rowOf(condition)) return { by: 'all', parts: [{ condition, place }], place };
  const isNegated = 'not' in condition;
  const inner = isNegated ? condition.not : condition;
  const own = isNegated ? within(place, 'not') : place;
  if ('all' in inner) return listed(isNegated ? 'not_all' : 'all', inner.all, within(own, 'all'));
  if ('any' in inner) return listed(isNegated ? 'none' : 'any', inner.any, within(own, 'any'));
  return { by: 'none', parts: [{ condition: inner, place: own }], place: own };
}

function listed(by: By, conditions: readonly Condition[], place: string): Group {
  return { by, parts: conditions.map((condition, n) => ({ condition, place: `${place}[${n}]` })), place };
}

const within = (place: string, name: string) => (place === '' ? name : `${place}.${name}`);

/** The condition of a group within others. */
export function conditionOf(by: By, parts: Condition[]): Condition {
  switch (by) {
    case 'all':
      return { all: parts };
    case 'any':
      return { any: parts };
    case 'none':
      return { not: { any: parts } };
    case 'not_all':
      return { not: { all: parts } };
  }
}

/** The condition of the outermost group: one on its own stands for itself; undefined without any. */
export function wholeConditionOf(by: By, parts: Condition[]): Condition | undefined {
  const [first, ...others] = parts;
  if (!first) return undefined;
  return by === 'all' && others.length === 0 && rowOf(first) ? first : conditionOf(by, parts);
}

/** The places of the conditions and groups within a definition. */
export function placesOf(definition: Condition, place = ''): string[] {
  if (rowOf(definition)) return [place];
  const group = groupOf(definition, place);
  return [group.place, ...group.parts.flatMap((part) => placesOf(part.condition, part.place))];
}
