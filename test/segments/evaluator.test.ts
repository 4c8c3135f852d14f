import { expect } from 'chai';
import type { Condition } from '../../src/domain/conditions/condition.ts';
import { inTodaysForm } from '../../src/domain/conditions/former.ts';
import type { Window } from '../../src/domain/conditions/windows.ts';
import { isMember } from '../../src/domain/segments/core/naive.ts';
import { type Evaluation, evaluate } from '../../src/domain/segments/evaluate.ts';
import { durationMs } from '../../src/domain/time/duration.ts';
import { readKnown } from './support/known.ts';
import { Random, randomDate, randomDays, randomDefinition, randomOfHistory, TYPES, VALUES } from './support/random.ts';
import { SegmentRoom } from './support/room.ts';

const [CUSTOMERS, EVENTS] = [25, 200];
const DEFINITIONS = 40;
const ROUNDS = Number(process.env.SEGMENT_ROUNDS ?? 4);

const SPANS = ['PT1S', 'PT90S', 'PT1M', 'PT3H', 'P1D', 'P2D', 'P1W', 'P366D', 'P3653D'] as const;
/** Clocks that are put forward at midnight, by half an hour, or by a day. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Asuncion',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
] as const;
/** Days of those clocks, leap days, turns of the year. */
const DAYS = [
  ...['1999-12-31', '2011-12-29', '2020-02-28', '2023-12-31', '2024-02-28', '2024-02-29', '2024-03-31', '2024-10-27'],
  ...['2024-04-06', '2024-10-06', '2024-04-25', '2024-04-26', '2024-03-24'],
] as const;

describe('The evaluator', () => {
  let room: SegmentRoom;

  before(async () => {
    room = await SegmentRoom.open();
  });
  after(() => room.close());

  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    it(`agrees with the naive one at each edge, and knows how long that holds (seed ${seed})`, async () => {
      const random = new Random(seed);
      const store = await room.newStore();
      const midnight = Date.parse(random.of(DAYS));
      // Some times come again and again, so that windows begin and end exactly at them.
      const times = Array.from({ length: 12 }, () => midnight + random.below(4 * 24) * 1_800_000 - random.below(2));
      const customers = Array.from({ length: CUSTOMERS }, (_, n) => ({
        external_id: `c${n}`,
        ...(n % 3 === 0 ? { email: `c${n}@example.com`, phone: `+49${1_000_000 + n}` } : {}),
      }));
      for (const identifiers of customers) {
        const attributes = {
          tier: random.of(VALUES),
          ...(random.chance(0.5) ? { age: random.of(VALUES) } : {}),
          born: randomDate(random, midnight),
          zone: random.of([...ZONES, 'europe/berlin', 'nowhere', 1]),
        };
        await store.client.post('/v1/profiles/upsert', { identifiers, attributes }, { expect: 201 });
      }
      const events = Array.from({ length: EVENTS }, () => ({
        event_type: random.of(TYPES),
        profile: random.of(customers),
        properties: {
          value: random.of(VALUES),
          on: randomDate(random, midnight),
          ...(random.chance(0.5) ? { kind: random.of(VALUES) } : {}),
        },
        occurred_at: new Date(random.of(times)).toISOString(),
      }));
      await store.client.post('/v1/events/bulk', { events }, { expect: 201 });
      const known = await readKnown(store);
      const window = () => randomWindow(random, times);
      const definitions = [
        ...Array.from({ length: DEFINITIONS }, () =>
          inTodaysForm(randomDefinition(random, { lists: [], segments: [], window })),
        ),
        ...Array.from({ length: 45 }, () => inTodaysForm(randomOfHistory(random, window))),
        ...Array.from({ length: 15 }, () => ({ date: { attribute: 'born', ...randomDays(random, true) } })),
      ];
      for (let n = 0; n < 6; n += 1) {
        const edge = random.of(times) + random.of([0, ...SPANS.map(durationMs)]);
        const now = edge + random.of([-1, 0, 1, random.below(7 * 86_400_000)]);
        const evaluation = await evaluateAll(store, definitions, [...known.keys()], now);
        for (const [i, definition] of definitions.entries()) {
          for (const [id, profile] of known) {
            const verdict = evaluation.verdicts.get(String(i))?.get(id);
            const expected = isMember(definition, profile, now);
            const place = `${JSON.stringify(definition)} at ${new Date(now).toISOString()} for ${id}`;
            expect(verdict?.isMember, place).to.equal(expected);
            const next = verdict?.next ?? null;
            if (next !== null) expect(next, place).to.be.greaterThan(now);
            for (const later of momentsUntil(random, now, next)) {
              expect(isMember(definition, profile, later), `${place}, still ${new Date(later).toISOString()}`).to.equal(
                expected,
              );
            }
          }
        }
      }
    });
  }

  it('takes the largest definitions that there may be, several at once', async () => {
    const store = await room.newStore();
    const { body } = await store.client.post('/v1/events', { event_type: 'visited', profile: { external_id: 'ada' } });
    const path = [...'abcdefghij'];
    const largest = (type: string): Condition => ({
      any: Array.from({ length: 50 }, (_, n) => ({
        did: {
          event_type: type,
          filter: { all: Array.from({ length: 10 }, () => ({ property: path, op: 'contains', value: 'é' }) as const) },
          sum: { property: path, op: 'gt', value: n },
          window: { last: `PT${n + 1}H` },
        },
      })),
    });
    const definitions = [largest('visited'), largest('ordered'), largest('refunded')];
    const evaluation = await evaluateAll(store, definitions, [body.profile_id], Date.now());
    expect([...evaluation.verdicts.values()].map((verdicts) => verdicts.get(body.profile_id)?.isMember)).to.deep.equal([
      false,
      false,
      false,
    ]);
  });

  async function evaluateAll(
    store: SegmentRoom,
    definitions: readonly Condition[],
    ids: readonly string[],
    now: number,
  ): Promise<Evaluation> {
    const all = definitions.map((definition, i) => ({ key: String(i), definition }));
    const evaluation = await store.db
      .transaction()
      .execute((tx) => evaluate(tx, all, ids, { storeId: store.storeId, now, left: () => 60_000 }));
    expect([...evaluation.failed.values()]).to.deep.equal([]);
    return evaluation;
  }
});

/** Moments before the next at which something may change: the last of them, and some others; of ten years if none does. */
function momentsUntil(random: Random, now: number, next: number | null): number[] {
  const last = next === null ? now + durationMs('P3653D') : next - 1;
  const length = last - now;
  return [last, now + Math.floor(random.next() * length), now + Math.floor(random.next() ** 8 * length)];
}

function randomWindow(random: Random, times: readonly number[]): Window {
  const iso = () => new Date(random.of(times) + random.of([-1, 0, 1])).toISOString();
  return random.of<() => Window>([
    () => ({ last: random.of(SPANS) }),
    () => ({ last: random.of(['P1D', 'P2D', 'P1W', '366d']), calendar: true, time_zone: random.of(ZONES) }),
    () => ({ from: iso() }),
    () => {
      const [from, to] = [iso(), iso()].sort() as [string, string];
      return from === to ? { from } : { from, to };
    },
    () => {
      const min = random.below(SPANS.length - 1);
      return { ago: { min: SPANS[min] as string, max: random.of(SPANS.slice(min + 1)) } };
    },
  ])();
}
