import { expect } from 'chai';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import type { UntilDate } from '../../src/domain/automations/core/definition/steps.ts';
import { iso } from '../../src/domain/time/local.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';
import { inDays, toNextBirthday } from './support/in-days.ts';

function onBirthday(at: string, offset: string): Partial<Definition> {
  return {
    trigger: { type: 'date', attribute: 'birthday', repeat: 'yearly', offset, at },
    time_zone: { attribute: 'time_zone', default: 'UTC' },
    steps: [{ id: 'first', type: 'emit_event', event_type: 'congratulated', next: null }],
  };
}

describe('Dates of automations', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  it('start one run for one birthday, though a later version has it on another day, and the next for the next', async () => {
    const { day, at } = inDays(10);
    await room.upsert('ada@example.com', { birthday: day });
    const id = await room.publish(onBirthday(at, '-P7D'));
    await room.settle();
    room.pass('P3DT1H');
    await room.settle();
    expect(await room.outcomes(id)).to.deep.equal(['started', 'event_emitted', 'ended: completed']);
    await room.publish(onBirthday(at, 'P0D'), id);
    await room.settle();
    room.pass('P7D');
    await room.settle();
    expect(await room.runs(id)).to.have.length(1);
    room.pass(toNextBirthday(day));
    await room.settle();
    expect(await room.runs(id)).to.have.length(2);
  });

  describe('waited for by a delay', () => {
    const day = (ahead: number) => new Date(room.tools.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    const emit = (id: string) => ({ id, type: 'emit_event' as const, event_type: id, next: null });
    const publish = (until_date: object) =>
      room.publish({
        trigger: { type: 'event', event_type: 'began' },
        start: 'wait',
        steps: [
          { id: 'wait', type: 'delay', until_date: until_date as UntilDate, next: 'soon' },
          emit('soon'),
          ...('on_past' in until_date ? [emit('missed')] : []),
        ],
      });
    const OF_TRIAL = { date: { from: 'profile.attributes.trial' }, offset: '-P3D', at: '09:00' };

    it('say when it ends, and move it when the profile changes', async () => {
      const [first, later, past, due, dueLater] = [day(10), day(20), day(-1), day(7), day(17)];
      await room.upsert('ada@example.com', { trial: first });
      const id = await publish({ ...OF_TRIAL, if_past: 'exit' });
      await room.send('began', 'ada@example.com');
      await room.settle();
      const until = async () =>
        (await room.timeline(id)).flatMap(({ detail }) => ('until' in detail ? [iso(detail.until as number)] : []));
      expect(await until()).to.deep.equal([`${due}T09:00:00.000Z`]);
      await room.upsert('ada@example.com', { trial: later });
      await room.settle();
      expect(await until()).to.deep.equal([`${due}T09:00:00.000Z`, `${dueLater}T09:00:00.000Z`]);
      await room.upsert('ada@example.com', { trial: past });
      await room.settle();
      expect((await room.outcomes(id)).at(-1)).to.equal('ended: date_past');
    });

    it('may be those of the event that ended a wait', async () => {
      const until_date = { date: { from: 'steps.paid.event.occurred_at' }, offset: 'P2D', if_past: 'exit' } as const;
      const paid = { id: 'paid', type: 'wait', timeout: 'P9D', on_timeout: null } as const;
      const id = await room.publish({
        trigger: { type: 'event', event_type: 'began' },
        start: 'paid',
        steps: [
          { ...paid, for: [{ event_type: 'paid', next: 'wait' }] },
          { id: 'wait', type: 'delay', until_date, next: 'soon' },
          emit('soon'),
        ],
      });
      const [began, at] = [new Date(Date.now() - 7_200_000), new Date(Date.now() - 3_600_000)].map((one) =>
        one.toISOString(),
      ) as [string, string];
      await room.send('began', 'ada@example.com', {}, { occurred_at: began });
      await room.send('paid', 'ada@example.com', {}, { occurred_at: at });
      await room.settle();
      const until = (await room.timeline(id)).find(({ outcome }) => outcome === 'delayed')?.detail.until as number;
      expect(iso(until)).to.equal(iso(Date.parse(at) + 2 * 86_400_000));
    });

    it('are past or missing as the step says', async () => {
      const ways = [
        [{ if_past: 'skip', on_past: 'missed' }, { trial: day(1) }, 'missed'],
        [{ if_past: 'skip', on_past: 'missed' }, {}, 'missed'],
        [{ if_past: 'continue_now' }, { trial: day(1) }, 'soon'],
        [{ if_past: 'continue_now' }, { trial: 'later' }, 'ended: no_date'],
        [{ if_past: 'exit' }, { trial: day(1) }, 'ended: date_past'],
        [{ if_past: 'exit' }, { trial: day(900) }, 'ended: no_date'],
      ] as const;
      const became: string[] = [];
      for (const [n, [way, attributes]] of ways.entries()) {
        await room.upsert(`c${n}@example.com`, attributes);
        const id = await publish({ ...OF_TRIAL, ...way });
        await room.send('began', `c${n}@example.com`);
        await room.settle();
        const emitted = (await room.timeline(id)).find(({ outcome }) => outcome === 'event_emitted');
        became.push(emitted?.step ?? (await room.outcomes(id)).at(-1) ?? '');
        await room.setStatus(id, 'archived');
      }
      expect(became).to.deep.equal(ways.map(([, , expected]) => expected));
    });
  });

  it('are not put off by a year where the customer moves while they are due', async () => {
    const { day, at } = inDays(1);
    await room.upsert('ada@example.com', { birthday: day, time_zone: 'UTC' });
    const id = await room.publish(onBirthday(at, 'P0D'));
    await room.settle();
    room.pass('P1DT1H');
    await room.upsert('ada@example.com', { time_zone: 'Africa/Abidjan' });
    await room.read();
    await room.settle();
    room.pass('PT2H');
    await room.settle();
    expect(await room.runs(id)).to.have.length(1);
  });
});
