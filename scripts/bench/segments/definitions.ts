import type { FormerCondition } from '../../../src/domain/conditions/former.ts';

/** What the loads of the benchmark send; the types of the stored history are `type_0` to `type_19`. */
export const SENT_TYPE = 'placed_order';

const TYPES = 20;

/** What shops ask for: each in a few variants. One in ten asks for what the loads send. */
const KINDS: ((type: string, n: number) => FormerCondition)[] = [
  (type) => ({ event: { type } }),
  (type) => ({ event: { type, op: 'gte', value: 3, window: { last: '90d' } } }),
  (type) => ({
    all: [{ event: { type, window: { last: '180d' } } }, { not: { event: { type, window: { last: '30d' } } } }],
  }),
  (type, n) => ({
    event: { type, measure: 'sum', property: 'value', op: 'gte', value: 100 + n, window: { last: '365d' } },
  }),
  (type) => ({
    all: [
      {
        event: {
          type,
          where: [{ property: 'currency', op: 'eq', value: 'EUR' }],
          window: { ago: { min: '30d', max: '60d' } },
        },
      },
      { attribute: { name: 'loyalty_tier', op: 'in', value: ['gold', 'silver'] } },
      { consent: { channel: 'email', status: 'never' } },
    ],
  }),
];

export function definitionOf(n: number): FormerCondition {
  const kind = KINDS[n % KINDS.length] as (typeof KINDS)[number];
  return kind(n % 10 === 0 ? SENT_TYPE : `type_${n % TYPES}`, n);
}
