import fc from 'fast-check';
import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';
import { SOAK_ROUNDS } from '../../support/sample.ts';
import {
  type Act,
  ALL,
  acts,
  type Breaks,
  breaks,
  definitions,
  expectSame,
  NONE,
  type Passage,
} from './support/histories.ts';
import { Shop } from './support/shop.ts';

/** Plays what is done, in some requests: what is in one is received together, when its last is. */
function play(definition: Definition, history: readonly Act[], requests: Breaks, looks: Breaks): Shop {
  const shop = new Shop(definition, { manual: true });
  let open: { act: Act; at: number; n: number }[] = [];
  let at = shop.now;
  for (const [i, act] of history.entries()) {
    at += act.gap;
    open.push({ act, at, n: i });
    if (!requests[i] && i < history.length - 1) continue;
    shop.now = at;
    for (const one of open) {
      const late = (at - one.at) / 1_000 + Temporal.Duration.from(one.act.ago).total('seconds');
      shop.record(one.act.type, { n: one.n }, { ago: `PT${late}S` });
    }
    open = [];
    if (looks[i]) shop.settle();
  }
  shop.settle();
  return shop;
}

function runsOf(shop: Shop): Passage[] {
  const events = new Map(shop.customer('ada').world.events.map(({ id, properties }) => [id, properties.n]));
  return [...shop.runs.values()].map(({ id, trigger, reason }) => {
    const entries = shop.timeline.filter(({ runId }) => runId === id);
    const used = entries.flatMap((one) => (one.outcome === 'matched' ? [events.get(one.event?.eventId ?? '')] : []));
    return { trigger: events.get(trigger.id), reason, used };
  });
}

describe('what becomes of a history', () => {
  const check = (property: fc.IPropertyWithHooks<any>) =>
    fc.assert(property, SOAK_ROUNDS > 0 ? { numRuns: 1_000 * SOAK_ROUNDS } : { numRuns: 500, seed: 44 });

  it('is the same in whatever requests it comes, and however often somebody looks', () => {
    check(
      fc.property(definitions, acts, breaks, breaks, (one, history, requests, looks) => {
        expectSame(one, runsOf(play(one, history, ALL, ALL)), runsOf(play(one, history, requests, looks)));
      }),
    );
  });

  it('is the same in one request as in many, where nobody looks before its end', () => {
    check(
      fc.property(definitions, acts, breaks, (one, history, requests) => {
        expectSame(one, runsOf(play(one, history, NONE, NONE)), runsOf(play(one, history, requests, NONE)));
      }),
    );
  });
});
