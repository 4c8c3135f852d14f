import { expect } from 'chai';
import { sql } from 'kysely';
import type { Definition, Trigger } from '../../src/domain/automations/core/definition/definition.ts';
import type { Step } from '../../src/domain/automations/core/definition/steps.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';
import { SegmentEngine } from './support/segment-engine.ts';

function on(trigger: Trigger, ...steps: object[]): Partial<Definition> {
  const named = steps.map((step, i) => ({
    id: i === 0 ? 'first' : `step${i}`,
    next: i + 1 < steps.length ? `step${i + 1}` : null,
    ...step,
  }));
  return { trigger, reentry: { mode: 'every_time', per: 'profile' }, steps: named as unknown as Step[] };
}
const event = (event_type: string): Trigger => ({ type: 'event', event_type });
const emit = (event_type: string) => ({ type: 'emit_event', event_type });

describe('What automations lead to', () => {
  let room: EngineRoom;
  /** The chains of each warning. */
  let warned: string[][];

  useRooms((one) => {
    room = one;
    warned = [];
    const warn = ({ chains }: { chains: string[] }) => warned.push(chains);
    room.tools.log = Object.assign(Object.create(room.tools.log), { warn });
  });

  const countEvents = async (type: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from event where store_id = ${room.storeId} and event_type = ${type}`.execute(
      room.db,
    );
    return rows[0]?.count ?? 0;
  };
  /** As if so much had followed already from an event. */
  const pretend = async (chain: string, kind: 'events' | 'runs', count: number) => {
    await sql`
      insert into automation_chain values (${room.storeId}, ${chain}, ${kind}, ${count})
      on conflict (store_id, id, kind) do update set count = excluded.count`.execute(room.db);
  };

  it('is 1,000 events and 1,000 runs at most for each event from outside, and the rest is told', async () => {
    const echoing = await room.publish(on(event('echo'), ...Array.from({ length: 100 }, () => emit('echo'))));
    const other = await room.publish(on(event('echo'), { type: 'set_profile', set: { heard: true } }));
    const echo = await room.send('echo', 'loop@example.com');
    await pretend(echo, 'events', 970);
    await pretend(echo, 'runs', 995);
    for (let i = 0; i < 4; i += 1) await room.settle();
    expect(await countEvents('echo')).to.equal(1 + 30);
    expect([...(await room.runs(echoing)), ...(await room.runs(other))]).to.have.length(2 + 5);
    const skips = [...(await room.skips(echoing)), ...(await room.skips(other))];
    expect(skips).to.deep.equal(Array(2 * 30 - 5).fill('chain_too_wide'));
    const ended = (await room.counts(echoing))['ended chain_too_wide'] ?? 0;
    expect(ended).to.equal((await room.runs(echoing)).length);
    expect(room.cut).to.be.greaterThan(ended);
    // Of its events, and of its runs.
    expect(warned).to.deep.equal([[echo], [echo]]);
    const { body } = await room.client.get(`/v1/automations/${echoing}/stats`, { expect: 200 });
    expect(body.ended_by_reason.map(({ reason }: { reason: string }) => reason)).to.include('chain_too_wide');
    expect(body.skipped.map(({ reason }: { reason: string }) => reason)).to.deep.equal(['chain_too_wide']);

    const greeting = await room.publish(on(event('came'), emit('greeted')));
    await room.send('came', 'loop@example.com');
    await room.settle();
    expect(await room.outcomes(greeting)).to.deep.equal(['started', 'event_emitted', 'ended: completed']);
  });

  it('is the same whether it came about by an event, an attribute or a segment', async () => {
    const segments = new SegmentEngine(room);
    const segment = await segments.create({ attribute: { name: 'tier', op: 'eq', value: 'gold' } });
    const begins = await room.publish(
      on(event('came'), { type: 'set_profile', set: { tier: 'gold' } }, emit('greeted'), emit('greeted')),
    );
    const following = [
      await room.publish(on(event('greeted'), emit('more'))),
      await room.publish(on({ type: 'profile_change', attribute: 'tier' }, emit('more'))),
      await room.publish(on({ type: 'segment_entry', segment }, emit('more'))),
    ];
    const come = await room.send('came', 'ada@example.com');
    await pretend(come, 'events', 999);
    await pretend(come, 'runs', 1_000);
    await segments.settle();
    await segments.settle();
    expect((await room.outcomes(begins)).slice(-2)).to.deep.equal(['event_emitted', 'ended: chain_too_wide']);
    for (const id of following) expect(await room.skips(id)).to.deep.equal(['chain_too_wide']);

    const later = await room.send('came', 'grace@example.com');
    await pretend(later, 'runs', 997);
    await pretend(later, 'events', 998);
    await segments.settle();
    await segments.settle();
    const runs = await Promise.all(following.map(room.runs.bind(room)));
    expect(runs.map(({ length }) => length)).to.satisfy((counts: number[]) => counts.reduce((a, b) => a + b, 0) === 3);
    expect(await countEvents('greeted')).to.equal(1 + 2);
    expect(await countEvents('more')).to.equal(0);
  });

  describe('where very many runs follow from one event', () => {
    const FLOODS = 12;
    let flooding: string;
    let came: string;

    /** Twelve runs are due, which would emit 100 events each, when the store is ahead of its pace. */
    beforeEach(async () => {
      await room.publish(on(event('came'), ...Array.from({ length: FLOODS }, () => emit('flood'))));
      flooding = await room.publish(on(event('flood'), ...Array.from({ length: 100 }, () => emit('drop'))));
      came = await room.send('came', 'ada@example.com');
      await room.settle();
      room.tools.pace.reserve(room.storeId, 500 * 600, room.tools.now());
    });
    /** When the store's next event would be emitted. */
    const next = () => room.tools.pace.reserve(room.storeId, 0, 0);

    it('those end at once that may emit nothing more, keep no place in the pace, and are warned of once', async () => {
      await pretend(came, 'events', 1_000);
      const before = next();
      await room.step();
      const ended = Array.from({ length: FLOODS }, () => ['started', 'ended: chain_too_wide']);
      expect(await room.outcomes(flooding)).to.deep.equal(ended.flat());
      expect(room.cut).to.equal(FLOODS);
      expect(next()).to.equal(before);
      expect(warned).to.deep.equal([[came]]);
    });

    it('they keep no more of the pace than they may emit', async () => {
      const before = next();
      await room.step();
      const waiting = Array.from({ length: FLOODS }, () => ['started', 'postponed']);
      expect(await room.outcomes(flooding)).to.deep.equal(waiting.flat());
      expect(next() - before).to.be.closeTo((1_000 - FLOODS) * 2, 1);
      room.pass('PT11M');
      await room.step();
      expect(await countEvents('drop')).to.equal(1_000 - FLOODS);
      expect(warned).to.deep.equal([[came]]);
    });
  });

  it('waits where a store emits very many events, and is then done once', async () => {
    const id = await room.publish(on(event('came'), emit('greeted'), emit('greeted')));
    room.tools.pace.reserve(room.storeId, 500 * 60, room.tools.now());
    await room.send('came', 'ada@example.com');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'postponed']);
    const { body } = await room.client.get(`/v1/automations/${id}/runs`, { expect: 200 });
    expect(body.runs[0].waiting.for).to.equal('pace');
    room.tools.pace.reserve(room.storeId, 500 * 600, room.tools.now());
    room.pass('PT1M');
    await room.settle();
    expect((await room.outcomes(id)).slice(2)).to.deep.equal(['event_emitted', 'event_emitted', 'ended: completed']);
    expect(await countEvents('greeted')).to.equal(2);
  });
});
