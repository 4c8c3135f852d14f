import type { ConditionWindow, Did } from '../definitions.ts';

/** How often or how much, as one comparison. */
export type Amount = NonNullable<Did['count'] | Did['sum']>;

/** When it must have been; undefined for ever. */
export type When = ConditionWindow | 'trigger' | undefined;

/** What is asked of the events, if it is one comparison; undefined for whether there is one. */
export function amountOf({ at_least, at_most, count, sum }: Did): Amount | undefined {
  if (at_least !== undefined) return { op: 'gte', value: at_least };
  return at_most === undefined ? (sum ?? count) : { op: 'lte', value: at_most };
}

export function withAmount(did: Did, amount?: Amount): Did {
  const rest = withoutAmount(did);
  if (!amount) return rest;
  return 'property' in amount ? { ...rest, sum: amount } : { ...rest, count: amount };
}

/** Both bounds on how often; undefined where there is at most one. */
export function boundsOf({ at_least, at_most }: Did): { at_least: number; at_most: number } | undefined {
  return at_least === undefined || at_most === undefined ? undefined : { at_least, at_most };
}

export function withBounds(did: Did, at_least: number, at_most: number): Did {
  return { ...withoutAmount(did), at_least, at_most };
}

function withoutAmount({ at_least: _, at_most: __, count: ___, sum: ____, ...did }: Did): Did {
  return did;
}

/** A duration before now is a window that ends now. */
export function windowOf({ window, within }: Did): ConditionWindow | undefined {
  return window ?? (within === undefined ? undefined : { last: within });
}

export function whenOf(did: Did): When {
  return did.since ?? windowOf(did);
}

export function withWhen({ within: _, window: __, since: ___, ...did }: Did, when: When): Did {
  if (when === 'trigger') return { ...did, since: when };
  return when ? { ...did, window: when } : did;
}
