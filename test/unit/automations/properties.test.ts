import { expect } from 'chai';
import fc from 'fast-check';
import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';
import type { Run } from '../../../src/domain/automations/core/machine/run.ts';
import { quietUntil } from '../../../src/domain/time/quiet-hours.ts';
import { definition } from './support/arbitraries.ts';
import { decisions, passRound, perform, play, rounds } from './support/play.ts';
import { Shop } from './support/shop.ts';

const ACTIONS = ['profile_set', 'event_emitted', 'delivery_queued'];
const indexOf = (one: Definition, id: string) => one.steps.findIndex((step) => step.id === id);
const entriesOf = (shop: Shop, run: Run) => shop.timeline.filter(({ runId }) => runId === run.id);

/** Holds what is said of whatever customers do in any automation. */
function always(check: (shop: Shop, one: Definition) => void): void {
  fc.assert(
    fc.property(definition, rounds, (one, history) => check(play(one, history), one)),
    { numRuns: 200 },
  );
}

describe('every run of every automation', () => {
  it('ends', () => {
    always((shop) => {
      for (const run of shop.runs.values()) expect(run).to.include({ status: 'ended', dueAt: null, waiting: null });
    });
  });

  it('goes forwards: it comes to no step again', () => {
    always((shop, one) => {
      for (const run of shop.runs.values()) {
        const visited = entriesOf(shop, run).map(({ stepId }) => indexOf(one, stepId));
        expect(visited).to.deep.equal(visited.toSorted((a, b) => a - b));
      }
    });
  });

  it('has one end, and nothing after it', () => {
    always((shop) => {
      for (const run of shop.runs.values()) {
        const outcomes = entriesOf(shop, run).map(({ outcome }) => outcome);
        expect(outcomes.indexOf('ended')).to.equal(outcomes.length - 1);
      }
    });
  });

  it('has a timeline that is numbered without gaps, in the order of time', () => {
    always((shop) => {
      for (const run of shop.runs.values()) {
        const entries = entriesOf(shop, run);
        expect(entries.map(({ seq }) => seq)).to.deep.equal(entries.map((_, i) => i + 1));
        expect(run.seq).to.equal(entries.length);
        const times = entries.map(({ at }) => at);
        expect(times).to.deep.equal(times.toSorted((a, b) => a - b));
      }
    });
  });

  it('takes no step before it is due', () => {
    always((shop) => {
      for (const run of shop.runs.values()) {
        const entries = entriesOf(shop, run);
        for (const [i, entry] of entries.entries()) {
          const next = entries[i + 1];
          if (!next || !('until' in entry) || ('skipped' in entry && entry.skipped)) continue;
          const isWoken = next.outcome === 'matched' || next.outcome === 'ended';
          expect(isWoken || next.at >= entry.until, JSON.stringify([entry, next])).to.equal(true);
        }
      }
    });
  });

  it('is alone in its place, unless any number may be', () => {
    always((shop, { reentry = { mode: 'one_at_a_time', per: 'profile' } }) => {
      if (reentry.mode === 'every_time') return;
      const placeOf = ({ profileId, key }: Run) => `${profileId} ${reentry.per === 'key' ? key : ''}`;
      const lastEnd = new Map<string, Run>();
      for (const run of shop.runs.values()) {
        const before = lastEnd.get(placeOf(run));
        if (before) {
          expect(reentry.mode).not.to.equal('once');
          expect(before.endedAt).to.be.at.most(run.startedAt);
        }
        lastEnd.set(placeOf(run), run);
      }
    });
  });

  it('sends nothing in quiet hours', () => {
    always((shop, { quiet_hours }) => {
      for (const { at, type } of shop.effects) {
        if (!quiet_hours || (type !== 'send_webhook' && type !== 'send_email')) continue;
        expect(quietUntil(quiet_hours, 'UTC', at)).to.equal(undefined);
      }
    });
  });

  it('does nothing once an event has happened that ends it', () => {
    always((shop, { exit_on = [] }) => {
      for (const run of shop.runs.values()) {
        const ends = shop
          .customer(run.profileId)
          .world.events.filter(
            ({ eventType, occurredAt, receivedAt, properties, id }) =>
              exit_on.some((one) => one.event_type === eventType && (!one.match_key || properties.key === run.key)) &&
              occurredAt >= run.trigger.at &&
              (receivedAt > run.startedAt || (receivedAt === run.startedAt && id > (run.trigger.eventId as string))),
          );
        for (const { outcome, at } of entriesOf(shop, run)) {
          if (!ACTIONS.includes(outcome)) continue;
          expect(ends.every(({ receivedAt }) => receivedAt >= at)).to.equal(true);
        }
      }
    });
  });
});

describe('what is decided about a customer', () => {
  it('does not depend on what others do at the same time', () => {
    fc.assert(
      fc.property(definition, rounds, (one, history) => {
        const byCustomer = history.map(({ minutes, acts }) => ({
          minutes,
          acts: acts.toSorted((a, b) => b.customer.localeCompare(a.customer)),
        }));
        expect(decisions(play(one, byCustomer))).to.deep.equal(decisions(play(one, history)));
      }),
    );
  });

  it('does not depend on how much is read at once', () => {
    const playInBatches = (one: Definition, history: Parameters<typeof play>[1], size: number) => {
      const shop = new Shop(one, { manual: true, delivers: true });
      for (const round of history) {
        passRound(shop, round);
        for (const each of round.acts) perform(shop, each);
        for (let i = 0; i < round.acts.length; i += size) shop.read(size);
        shop.settle();
      }
      return decisions(shop);
    };
    fc.assert(
      fc.property(definition, rounds, fc.integer({ min: 1, max: 3 }), (one, history, size) => {
        expect(playInBatches(one, history, size)).to.deep.equal(playInBatches(one, history, 100));
      }),
    );
  });

  it('is the same when it is decided again, as whoever decided it died before it was written', () => {
    fc.assert(
      fc.property(definition, rounds, (one, history) => {
        expect(decisions(play(one, history, { crashes: true }))).to.deep.equal(decisions(play(one, history)));
      }),
    );
  });
});
