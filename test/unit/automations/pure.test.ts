import { expect } from 'chai';
import { simulate } from '../../../src/domain/automations/core/simulation/simulate.ts';
import { ABANDONED_CART } from './support/definitions.ts';
import { START } from './support/shop.ts';

const event = {
  id: 'event',
  eventType: 'started_checkout',
  properties: { cart_id: 'c1', value: 59.9 },
  occurredAt: START,
  receivedAt: START,
  backfill: false,
  depth: 0,
};
const run = () =>
  simulate(
    ABANDONED_CART,
    { type: 'event', event, runId: 'run' },
    { profile: { id: 'ada', identifiers: { email: 'ada@example.com' }, attributes: {} } },
  );

describe('what automations decide', () => {
  const globals = { now: Date.now, random: Math.random, temporal: Temporal.Now, randomUUID: crypto.randomUUID };
  const refuse = () => {
    throw new Error('There is neither clock nor chance here');
  };

  afterEach(() => {
    Date.now = globals.now;
    Math.random = globals.random;
    crypto.randomUUID = globals.randomUUID;
    Object.defineProperty(Temporal, 'Now', { value: globals.temporal, configurable: true, writable: true });
  });

  it('needs neither a clock nor chance', () => {
    const expected = run();
    Date.now = refuse;
    Math.random = refuse;
    crypto.randomUUID = refuse;
    Object.defineProperty(Temporal, 'Now', { get: refuse, configurable: true });
    const found = run();
    expect(found).to.deep.equal(expected);
  });
});
