import { expect } from 'chai';
import fc from 'fast-check';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import type { Next, Step } from '../../src/domain/automations/core/definition/steps.ts';
import { EngineRoom } from './support/engine-room.ts';

/** A definition, and what its customer does: half an hour after some of the hours. */
interface Case {
  definition: Partial<Definition>;
  happenings: { hour: number; event?: string; tier?: string }[];
}

const HOURS = 8;
const CASES = 25;
const EVENTS = ['a', 'b', 'c'];

const nextOf = (i: number, count: number): fc.Arbitrary<Next> =>
  fc.constantFrom<Next>(
    ...Array.from({ length: count - i - 1 }, (_, k) => `s${i + k + 1}`),
    i + 1 < count ? `s${i + 1}` : null,
  );
const ofTier = fc.record({
  attribute: fc.constant('tier'),
  op: fc.constantFrom('eq' as const, 'neq' as const),
  value: fc.constant('gold'),
});
const isGold = fc.constant({ attribute: 'tier', op: 'eq' as const, value: 'gold' });
const did = fc.record({
  did: fc.record({
    event_type: fc.constantFrom(...EVENTS),
    at_least: fc.constantFrom(1, 2),
    since: fc.constant('trigger' as const),
  }),
});
const event = fc.constantFrom(...EVENTS);

function stepAt(i: number, count: number): fc.Arbitrary<Step> {
  const [id, next] = [fc.constant(`s${i}`), nextOf(i, count)];
  const hours = fc.constantFrom('PT1H', 'PT2H');
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ id, type: fc.constant('delay' as const), for: hours, next }) },
    {
      weight: 4,
      arbitrary: fc.record({
        id,
        type: fc.constant('wait' as const),
        for: fc.tuple(fc.record({ event_type: event, next }), fc.record({ when: isGold, next })),
        since: fc.constantFrom('trigger' as const, 'step' as const),
        timeout: hours,
        on_timeout: next,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        id,
        type: fc.constant('branch' as const),
        cases: fc.tuple(fc.record({ when: fc.oneof(ofTier, did), next })),
        else: next,
      }),
    },
    fc.record({ id, type: fc.constant('set_profile' as const), set: fc.constant({ tier: 'gold' }), next }),
    fc.record({ id, type: fc.constant('emit_event' as const), event_type: event, next }),
    fc.record({ id, type: fc.constant('exit' as const), reason: fc.constant('enough') }),
  );
}

const someCase: fc.Arbitrary<Case> = fc.record({
  definition: fc.integer({ min: 2, max: 5 }).chain((count) =>
    fc.record(
      {
        steps: fc.tuple(...Array.from({ length: count }, (_, i) => stepAt(i, count))).map(reachable),
        start: fc.constant('s0'),
        entry_condition: fc.constant({ attribute: 'tier', op: 'neq' as const, value: 'gold' }),
        exit_on: event.map((event_type) => [{ event_type }]),
        exit_when: did,
      },
      { requiredKeys: ['steps', 'start'] },
    ),
  ),
  // One in an hour: of two in the same instant, either may be read first.
  happenings: fc.uniqueArray(
    fc.oneof(
      fc.record({ hour: fc.nat(HOURS - 1), event }),
      fc.record({ hour: fc.nat(HOURS - 1), tier: fc.constantFrom('gold', 'silver') }),
    ),
    { minLength: 1, maxLength: 6, selector: ({ hour }) => hour },
  ),
});

/** Without the steps that nothing leads to, which can't be published. */
function reachable(steps: Step[]): Step[] {
  const kept = new Set(['s0']);
  for (const step of steps) {
    if (!kept.has(step.id)) continue;
    for (const [, id] of JSON.stringify(step).matchAll(/"(?:next|else|on_timeout)":"(\w+)"/g)) kept.add(id as string);
  }
  return steps.filter(({ id }) => kept.has(id));
}

/** Events of each case have types of their own, so that all of them happen at once. */
function typed<Value>(value: Value, n: number): Value {
  return JSON.parse(JSON.stringify(value).replaceAll(/"event_type":"(\w)"/g, `"event_type":"$1${n}"`));
}

/** What was decided, but for times and ids. */
function told(timeline: { step_id: string; outcome: string; detail: any }[]): unknown[] {
  return timeline.map(({ step_id, outcome, detail: { until: _, version: __, event: matched, ...detail } }) => {
    return { step_id, outcome, ...detail, ...(matched && { index: matched.index }) };
  });
}

describe('A simulation', () => {
  let room: EngineRoom;

  before(async () => {
    room = await EngineRoom.open();
  });
  after(() => room.close());

  it('tells what then happens', async () => {
    const cases = fc.sample(someCase, CASES).map((one, n) => ({ ...typed(one, n), n }));
    const ids: string[] = [];
    for (const { definition, n } of cases) {
      ids.push(await room.publish({ ...definition, trigger: { type: 'event', event_type: `start${n}` } }));
      await room.upsert(`${n}@example.com`, { tier: 'silver' });
    }
    const simulated: any[] = [];
    for (const { happenings, n } of cases) {
      const event_id = await room.send(`start${n}`, `${n}@example.com`);
      const assume = happenings.map(({ hour, event, tier }) => {
        const after = `PT${hour}H30M`;
        return event ? { after, event: { event_type: `${event}${n}` } } : { after, set: { tier } };
      });
      const { body } = await room.client.post(
        `/v1/automations/${ids[n]}/simulate`,
        { event_id, assume },
        { expect: 200 },
      );
      simulated.push(body);
    }
    await settle();
    for (let hour = 0; hour < HOURS; hour += 1) {
      room.pass('PT30M');
      for (const { happenings, n } of cases) {
        for (const { event, tier } of happenings.filter((one) => one.hour === hour)) {
          const occurred_at = new Date(room.tools.now()).toISOString();
          if (event) await room.send(`${event}${n}`, `${n}@example.com`, {}, { occurred_at });
          else await room.upsert(`${n}@example.com`, { tier });
        }
      }
      await settle();
      room.pass('PT30M');
      await settle();
    }
    for (const { definition, happenings, n } of cases) {
      const { runs } = (await room.client.get(`/v1/automations/${ids[n]}/runs`)).body;
      const text = JSON.stringify({ definition, happenings });
      expect(runs.length, text).to.equal(simulated[n].entry.entered ? 1 : 0);
      if (runs.length === 0) continue;
      const { body } = await room.client.get(`/v1/runs/${runs[0].id}`);
      // Of a run that takes longer than the test, the part until then.
      const part = told(simulated[n].timeline).slice(0, body.status === 'ended' ? undefined : body.timeline.length);
      expect(told(body.timeline), text).to.deep.equal(part);
    }
  });

  /** What runs do to profiles and events is read, and goes on to be dealt with. */
  async function settle(): Promise<void> {
    for (let i = 0; i < 3; i += 1) await room.settle();
  }
});
