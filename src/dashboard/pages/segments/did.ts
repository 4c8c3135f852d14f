import type { ConditionWindow, Did, PropertyCondition } from '../../definitions.ts';

/** How often or how much: what a form has fields for. */
export type Amount = NonNullable<Did['count'] | Did['sum']>;

/** The comparisons that all have to hold of an event; undefined for a filter that is no list of these. */
export function testsOf({ filter }: Did): PropertyCondition[] | undefined {
  if (!filter) return [];
  const parts = 'all' in filter ? filter.all : [filter];
  return parts.every((part): part is PropertyCondition => 'property' in part) ? parts : undefined;
}

export function withTests({ filter: _, ...did }: Did, tests: PropertyCondition[]): Did {
  const [only, another] = tests;
  if (!only) return did;
  return { ...did, filter: another ? { all: tests } : only };
}

/** What is asked of the events, if it is one comparison; undefined for whether there is one. */
export function amountOf({ at_least, at_most, count, sum }: Did): Amount | undefined {
  if (at_least !== undefined) return { op: 'gte', value: at_least };
  return at_most === undefined ? (sum ?? count) : { op: 'lte', value: at_most };
}

/** When it must have been: a duration before now is a window that ends now. */
export function windowOf({ window, within }: Did): ConditionWindow | undefined {
  return window ?? (within === undefined ? undefined : { last: within });
}

export function withWindow({ within: _, window: __, ...did }: Did, window?: ConditionWindow): Did {
  return window ? { ...did, window } : did;
}

export function withAmount({ at_least: _, at_most: __, count: ___, sum: ____, ...did }: Did, amount?: Amount): Did {
  if (!amount) return did;
  return 'property' in amount ? { ...did, sum: amount } : { ...did, count: amount };
}
