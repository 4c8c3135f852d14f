import fc from 'fast-check';
import type { Definition } from '../../../../src/domain/automations/core/definition/definition.ts';
import { properties } from './arbitraries.ts';
import { Shop } from './shop.ts';

/** What a customer does, or what becomes of them. */
export type Act = { customer: string } & (
  | { type: string; properties: Record<string, unknown>; ago: string }
  | { set: Record<string, unknown> }
);

/** Minutes that pass, and what happens then. */
export interface Round {
  minutes: number;
  acts: Act[];
}

const customer = fc.constantFrom('ada', 'ben', 'cy');
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    customer,
    type: fc.constantFrom('started', 'started', 'a', 'b', 'c'),
    properties: fc.tuple(properties, fc.constantFrom('k1', 'k2')).map(([found, key]) => ({ ...found, key })),
    ago: fc.constantFrom('PT0S', 'PT0S', 'PT3M', 'PT2H'),
  }),
  fc.record({ customer, set: properties }),
);

/** Some days of several customers. */
export const rounds: fc.Arbitrary<Round[]> = fc.array(
  fc.record({ minutes: fc.constantFrom(0, 1, 40, 400, 1_500), acts: fc.array(act, { maxLength: 4 }) }),
  { minLength: 1, maxLength: 12 },
);

/** Seconds by which each round is later, so that nothing happens just when something is due. */
const SHIFT = 7;

export function passRound(shop: Shop, { minutes }: Round): void {
  shop.pass(`PT${minutes * 60 + SHIFT}S`);
}

export function perform(shop: Shop, one: Act): void {
  const { customer: who } = one;
  if ('set' in one) shop.set(one.set, { customer: who });
  else shop.record(one.type, one.properties, { customer: who, ago: one.ago });
}

/** Plays the rounds, and then waits until every run must have ended. */
export function play(definition: Definition, history: readonly Round[], options = {}): Shop {
  const shop = new Shop(definition, { delivers: true, ...options });
  for (const round of history) {
    passRound(shop, round);
    for (const one of round.acts) perform(shop, one);
  }
  shop.pass('P60D');
  return shop;
}

/** All that has been decided about each customer. */
export function decisions(shop: Shop, customers = ['ada', 'ben', 'cy']) {
  return customers.map((one) => ({
    timeline: shop.timeline.filter(({ runId }) => runId.startsWith(`${one} `)),
    attributes: shop.attributes(one),
  }));
}
