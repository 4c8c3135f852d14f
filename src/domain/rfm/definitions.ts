import type { Name } from '../conditions/comparison.ts';
import type { Condition, Did } from '../conditions/condition.ts';
import { type OrderRule, pathsOf } from '../orders/rule.ts';
import type { Thresholds } from './thresholds.ts';

export const RFM_KINDS = [
  'champions',
  'loyal',
  'new',
  'needs_attention',
  'about_to_sleep',
  'at_risk',
  'hibernating',
  'lost',
] as const;
export type RfmKind = (typeof RFM_KINDS)[number];

export const RFM_NAMES: Readonly<Record<RfmKind, string>> = {
  champions: 'RFM: Champions',
  loyal: 'RFM: Loyal',
  new: 'RFM: New',
  needs_attention: 'RFM: Needs attention',
  about_to_sleep: 'RFM: About to sleep',
  at_risk: 'RFM: At risk',
  hibernating: 'RFM: Hibernating',
  lost: 'RFM: Lost',
};

/** Types of events and properties that a definition names: few, as each is asked for several times. */
const MOST_NAMES = 2;

/** Returns the definitions, in ordinary conditions on events; whoever has ordered is in one of them. */
export function definitionsOf(thresholds: Thresholds, rule: OrderRule): Record<RfmKind, Condition> {
  const { recentDays, middleDays, lateDays, someOrders, manyOrders, highAmount } = thresholds;
  const types = rule.placedTypes.slice(0, MOST_NAMES);
  const amounts = pathsOf(rule).value.slice(0, MOST_NAMES).map(nameOf);
  const asked = (...of: Omit<Did, 'event_type'>[]) =>
    types.flatMap((event_type) => of.map((more) => ({ did: { event_type, ...more } })));
  const any = (conditions: Condition[]) =>
    conditions.length === 1 ? (conditions[0] as Condition) : ({ any: conditions } as Condition);
  const atLeast = (value: number) => asked({ count: { op: 'gte', value } });
  const within = (days: number) => any(asked({ window: { last: `P${days}D` } }));
  const ordered = any(asked({}));
  const ofHigh = [
    ...atLeast(manyOrders),
    ...asked(...amounts.map((property) => ({ sum: { property, op: 'gt' as const, value: Number(highAmount) } }))),
  ];
  const high = any(ofHigh);
  const some = any([...ofHigh, ...(someOrders < manyOrders ? atLeast(someOrders) : [])]);
  const [recent, middle, late] = [within(recentDays), within(middleDays), within(lateDays)];
  const all = (...conditions: Condition[]) => ({ all: conditions }) as Condition;
  const not = (condition: Condition) => ({ not: condition }) as Condition;
  return {
    champions: all(recent, high),
    loyal: all(recent, some, not(high)),
    new: all(recent, not(some)),
    needs_attention: all(middle, not(recent), some),
    about_to_sleep: all(middle, not(recent), not(some)),
    at_risk: all(ordered, not(middle), some),
    hibernating: all(late, not(middle), not(some)),
    lost: all(ordered, not(late), not(some)),
  };
}

function nameOf(path: readonly string[]): Name {
  return path.length === 1 ? (path[0] as string) : path;
}
