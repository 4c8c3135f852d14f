import type { ConditionWindow, Did } from '../definitions.ts';

/** What is worked out of a property of the events. */
export const OF_PROPERTY = ['sum', 'average', 'minimum', 'maximum', 'distinct'] as const;
export type Measured = (typeof OF_PROPERTY)[number] | 'days';

/** How often or how much, as one comparison. */
export type Amount = NonNullable<Did['count'] | Did['sum']>;

/** When it must have been; undefined for ever. */
export type When = ConditionWindow | 'trigger' | undefined;

/** What is asked of the events, if it is one comparison; undefined for whether there is one. */
export function amountOf(did: Did): Amount | undefined {
  const { at_least, at_most, count } = did;
  if (at_least !== undefined) return { op: 'gte', value: at_least };
  if (at_most !== undefined) return { op: 'lte', value: at_most };
  const measured = measuredOf(did);
  return measured ? did[measured] : count;
}

/** What is compared, if it is not how often. */
export function measuredOf(did: Did): Measured | undefined {
  return ([...OF_PROPERTY, 'days'] as const).find((name) => did[name] !== undefined);
}

/** The same with another comparison; by default of what was compared before. */
export function withAmount(did: Did, amount?: Amount, of: Measured | 'count' = measuredOf(did) ?? 'count'): Did {
  const rest = withoutAmount(did);
  return amount ? { ...rest, [of]: amount } : rest;
}

/** Both bounds on how often; undefined where there is at most one. */
export function boundsOf({ at_least, at_most }: Did): { at_least: number; at_most: number } | undefined {
  return at_least === undefined || at_most === undefined ? undefined : { at_least, at_most };
}

export function withBounds(did: Did, at_least: number, at_most: number): Did {
  return { ...withoutAmount(did), at_least, at_most };
}

function withoutAmount({ at_least: _, at_most: __, count: ___, ...did }: Did): Did {
  const { sum: ____, average: _____, minimum, maximum, distinct, days, ...rest } = did;
  return rest;
}

/** A duration before now is a window that ends now. */
export function windowOf({
  window,
  within,
}: {
  window?: ConditionWindow;
  within?: string;
}): ConditionWindow | undefined {
  return window ?? (within === undefined ? undefined : { last: within });
}

/** The same with another window; without one, ever. */
export function withWindow<Asked extends { window?: ConditionWindow; within?: string }>(
  { within: _, window: __, ...asked }: Asked,
  window: ConditionWindow | undefined,
): Asked {
  return (window ? { ...asked, window } : asked) as Asked;
}

export function whenOf(did: Did): When {
  return did.since ?? windowOf(did);
}

export function withWhen({ within: _, window: __, since: ___, ...did }: Did, when: When): Did {
  if (when === 'trigger') return { ...did, since: when };
  return when ? { ...did, window: when } : did;
}
