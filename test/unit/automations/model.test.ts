import { expect } from 'chai';
import fc from 'fast-check';
import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';
import { automation, chain, delay, mark, wait } from './support/definitions.ts';
import { type Expected, expectedRuns, type Plan } from './support/naive-model.ts';
import { Shop } from './support/shop.ts';

const duration = fc.constantFrom('PT1M', 'PT1H', 'PT20H');
const plan: fc.Arbitrary<Plan> = fc.record({
  reentry: fc.record({
    mode: fc.constantFrom('once', 'one_at_a_time', 'restart', 'every_time'),
    per: fc.constantFrom('profile', 'key'),
    min_interval: fc.constantFrom(null, null, 'PT3H'),
  }),
  delay: duration,
  waits: fc.array(duration, { maxLength: 3 }),
});

/** One event each time, some minutes after the one before. */
const history = fc.array(
  fc.record({
    minutes: fc.constantFrom(0, 1, 30, 200, 1_500),
    type: fc.constantFrom('started', 'started', 'ordered', 'ordered', 'left'),
    key: fc.constantFrom('k1', 'k1', 'k2'),
    ago: fc.constantFrom('PT0S', 'PT0S', 'PT4M', 'PT40M'),
  }),
  { minLength: 1, maxLength: 15 },
);

function definitionOf({ reentry, delay: length, waits }: Plan): Definition {
  const ids = [...waits.map((_, i) => `wait ${i}`), 'done'];
  const match_key = { property: 'key' };
  const steps = chain(
    delay('delay', length),
    ...waits.map((timeout, i) => {
      const next = ids[i + 1];
      return wait(`wait ${i}`, 'ordered', {
        for: [{ event_type: 'ordered', match_key, next }],
        timeout,
        on_timeout: next,
      });
    }),
    mark('done'),
  );
  return automation({ key: match_key, reentry, exit_on: [{ event_type: 'left', match_key }], steps });
}

/** The runs of a shop as the model has them. */
function foundRuns(shop: Shop): Expected[] {
  return [...shop.runs.values()].map(({ id, key, startedAt, endedAt, reason }) => {
    const used = shop.timeline.flatMap((entry) => {
      if (entry.runId !== id) return [];
      if (entry.outcome === 'matched') return [entry.event?.eventId ?? null];
      return entry.outcome === 'timed_out' ? [null] : [];
    });
    return { key, startedAt, endedAt, reason, used } as Expected;
  });
}

describe('re-entry, waits and exits', () => {
  it('mean what a naive reading of all that a customer did says', () => {
    fc.assert(
      fc.property(plan, history, (one, acts) => {
        const shop = new Shop(definitionOf(one));
        for (const { minutes, type, key, ago } of acts) {
          shop.pass(`PT${minutes * 60 + 7}S`);
          shop.record(type, { key }, { ago });
        }
        shop.pass('P10D');
        const expected = expectedRuns(one, shop.customer('ada').world.events).map(withoutUnreached);
        expect(foundRuns(shop).map(withoutUnreached)).to.deep.equal(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The model works out the whole of a run that is restarted, the part after that included. */
function withoutUnreached({ used, ...run }: Expected) {
  return run.reason === 'restarted' ? run : { ...run, used };
}
