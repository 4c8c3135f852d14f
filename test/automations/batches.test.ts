import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';

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
} from '../unit/automations/support/histories.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const WAITS: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'asked' },
  reentry: { mode: 'every_time', per: 'profile' },
  exit_on: [{ event_type: 'left' }],
  steps: [
    { id: 'first', type: 'set_profile', set: { asked: true }, next: 'one' },
    ...['one', 'two'].map((id, i) => ({
      ...{ id, type: 'wait' as const, since: 'step' as const, timeout: 'P9D', on_timeout: null },
      for: [
        { event_type: 'a', next: i === 0 ? 'two' : 'end' },
        { event_type: 'b', next: 'end' },
      ],
    })),
    { id: 'end', type: 'wait', for: [{ event_type: 'never', next: null }], timeout: 'P9D', on_timeout: null },
  ],
};
const ADA = { profile: { email: 'ada@example.com' } };

describe('A history that comes in several requests, or in one', () => {
  let room: EngineRoom;
  let id: string;

  useRooms(async (one) => {
    room = one;
    id = await room.publish(WAITS);
  });

  const record = (...types: string[]) => {
    const events = types.map((event_type) => ({ event_type, ...ADA }));
    return room.client.post('/v1/events/bulk', { events }, { expect: 201 });
  };
  const outcomes = async () => (await room.outcomes(id)).join(' ');

  for (const requests of [
    [['a', 'asked', 'a', 'b']],
    [
      ['a', 'asked'],
      ['a', 'b'],
    ],
    [['a'], ['asked'], ['a'], ['b']],
  ]) {
    for (const looks of [true, false]) {
      it(`leads to the same branches: ${JSON.stringify(requests)}${looks ? ', looked at after each' : ''}`, async () => {
        for (const types of requests) {
          await record(...types);
          if (looks) await room.settle();
        }
        await room.settle();
        const matched = (await room.timeline(id)).filter(({ outcome }) => outcome === 'matched');
        expect(matched.map(({ step, detail }) => [step, (detail.event as any).index])).to.deep.equal([
          ['one', 0],
          ['two', 1],
        ]);
        expect((await room.runs(id)).map(({ step }) => step)).to.deep.equal(['end']);
      });
    }
  }

  it('is not ended by what was recorded before the trigger in the same request, but by what came after', async () => {
    await record('left', 'a', 'asked');
    await room.settle();
    expect(await outcomes()).to.equal('started profile_set waiting');
    await record('left');
    await room.settle();
    expect(await outcomes()).to.equal('started profile_set waiting ended: exit_event');
  });

  it('takes the event that was recorded first, although another one is said to have happened before', async () => {
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
    const events = [
      { event_type: 'asked', occurred_at: ago(60) },
      { event_type: 'b', occurred_at: ago(10) },
      { event_type: 'a', occurred_at: ago(20) },
    ];
    await room.client.post('/v1/events/bulk', { events: events.map((one) => ({ ...one, ...ADA })) }, { expect: 201 });
    await room.settle();
    expect((await room.timeline(id)).find(({ outcome }) => outcome === 'matched')?.detail).to.deep.include({
      next: 'end',
    });
  });

  it('lets somebody enter again once the run before has ended, though all of it comes at once', async () => {
    const wait = { id: 'first', type: 'wait', timeout: 'P1D', on_timeout: null } as const;
    const steps = [{ ...wait, for: [{ event_type: 'a', next: null }] }];
    id = await room.publish({ trigger: { type: 'event', event_type: 'asked' }, steps });
    await record('asked', 'asked', 'a', 'asked');
    await room.settle();
    expect((await room.runs(id)).map(({ status }) => status)).to.deep.equal(['ended', 'active']);
    expect(await room.skips(id)).to.deep.equal(['reentry']);
  });

  describe('at random', () => {
    /** Records what is done, in some requests, as a quarter of an hour ago. */
    async function play(email: string, history: readonly Act[], requests: Breaks, looks: Breaks): Promise<void> {
      let open: object[] = [];
      let at = Date.now() - 900_000;
      for (const [n, { gap, ago, type }] of history.entries()) {
        at += gap;
        const occurred_at = new Date(at - Temporal.Duration.from(ago).total('milliseconds')).toISOString();
        open.push({ event_type: type, occurred_at, properties: { n }, profile: { email } });
        if (!requests[n] && n < history.length - 1) continue;
        await room.client.post('/v1/events/bulk', { events: open }, { expect: 201 });
        open = [];
        if (looks[n]) await room.settle();
      }
      await room.settle();
    }

    const passages = async (email: string): Promise<Passage[]> => {
      const numberOf = (event: string) =>
        sql.raw(`(select (properties ->> 'n')::int from event where id = (${event})::uuid)`);
      const { rows } = await sql<Passage>`
        select ${numberOf('r.trigger_id')} as trigger, r.reason, array(
          select ${numberOf("s.detail #>> '{event,eventId}'")} from automation_step s
          where s.store_id = r.store_id and s.run_id = r.id and s.outcome = 'matched' order by s.seq
        ) as used
        from automation_run r join profile_identifier i on i.store_id = r.store_id and i.profile_id = r.profile_id
        where r.store_id = ${room.storeId} and r.automation_id = ${id} and i.value = ${email}
        order by r.id`.execute(room.db);
      return rows;
    };

    const ROUNDS = { numRuns: Number(process.env.BATCH_ROUNDS ?? 6), seed: 44 };
    for (const [definition, history, ...splits] of fc.sample(
      fc.tuple(definitions, acts, breaks, breaks, breaks, breaks),
      ROUNDS,
    )) {
      it(`leads to the same runs and branches: ${history.map(({ type }) => type).join(' ')}`, async () => {
        id = await room.publish(definition);
        const [one, other, look, again] = splits;
        const ways: [Breaks, Breaks][] = [
          [ALL, ALL],
          [NONE, NONE],
          [one, look],
          [other, again],
          [ALL, NONE],
        ];
        for (const [n, [requests, looks]] of ways.entries()) await play(`c${n}@example.com`, history, requests, looks);
        const [live = [], ...others] = await Promise.all(ways.map((_, n) => passages(`c${n}@example.com`)));
        for (const found of others) expectSame(definition, live, found);
      });
    }
  });
});
