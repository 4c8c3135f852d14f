import { expect } from 'chai';
import { sql } from 'kysely';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { readChanges } from '../../src/domain/automations/engine/read-changes.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const EXITING: Partial<Definition> = {
  trigger: { type: 'event', event_type: 'asked' },
  reentry: { mode: 'every_time', per: 'profile' },
  exit_on: [{ event_type: 'left' }],
  steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }],
};

describe('Events that only end or wake runs', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  const endsOf = async (id: string) => (await room.outcomes(id)).filter((outcome) => outcome.startsWith('ended'));

  it('end a run that an event just before has started, though the automation is paused right after', async () => {
    const id = await room.publish(EXITING);
    await room.send('left', 'ada@example.com');
    await room.send('asked', 'ada@example.com');
    await room.send('left', 'ada@example.com');
    await room.send('left', 'nobody@example.com');
    await room.setStatus(id, 'paused');
    await readChanges(room.db, room.storeId, room.tools);
    expect(await endsOf(id)).to.deep.equal(['ended: exit_event']);
  });

  it('end a run that a change of the profile just before has started', async () => {
    await room.upsert('ada@example.com', { plan: 'free' });
    const id = await room.publish({ ...EXITING, trigger: { type: 'profile_change', attribute: 'plan' } });
    await room.upsert('ada@example.com', { plan: 'pro' });
    await room.send('left', 'ada@example.com');
    await room.setStatus(id, 'paused');
    await readChanges(room.db, room.storeId, room.tools);
    expect(await endsOf(id)).to.deep.equal(['ended: exit_event']);
  });

  it('end all runs that there are, and those of other automations too', async () => {
    const ids = [await room.publish(EXITING), await room.publish({ ...EXITING, exit_on: [{ event_type: 'asked' }] })];
    for (let i = 0; i < 3; i += 1) await room.send('asked', 'ada@example.com');
    await room.settle();
    await room.send('left', 'ada@example.com');
    await room.settle();
    expect(await Promise.all(ids.map(async (id) => (await endsOf(id)).length))).to.deep.equal([3, 2]);
  });

  it('do not matter to how many runs a customer may have', async () => {
    const { exit_on: _, ...definition } = EXITING;
    const id = await room.publish(definition);
    const events = Array.from({ length: 600 }, () => ({
      event_type: 'asked',
      profile: { email: 'ada@example.com' },
    }));
    for (let i = 0; i < 2; i += 1) {
      await room.client.post('/v1/events/bulk', { events }, { expect: 201 });
      await room.read();
    }
    expect(await room.runs(id)).to.have.length(1_000);
    expect(await room.skips(id))
      .to.have.length(200)
      .and.to.include('too_many_runs');
  });

  describe('of pages and apps, which anybody can send,', () => {
    /** As the script on the pages of a shop does, with a public key. */
    const sendFromPage = (metric: string, email: string, properties: object = {}) =>
      room.client.post(
        '/compat/v1/client/events',
        {
          data: {
            type: 'event',
            attributes: {
              properties: {},
              metric: { data: { type: 'metric', attributes: { name: metric } } },
              profile: { data: { type: 'profile', attributes: { email, properties } } },
            },
          },
        },
        { expect: 202 },
      );
    const every = { reentry: { mode: 'every_time', per: 'profile' } } as const;
    const waitFor = (event: object): Partial<Definition>['steps'] => [
      {
        id: 'first',
        type: 'wait',
        for: [{ event_type: 'answered', next: null, ...event }],
        timeout: 'PT1H',
        on_timeout: 'bought',
      },
      {
        id: 'bought',
        type: 'branch',
        cases: [{ when: { did: { event_type: 'bought', ...event } }, next: null }],
        else: null,
      },
    ];
    /** One automation for each place in which an event or a change counts. */
    const places = async (more: { from_client?: boolean }): Promise<string[]> => [
      await room.publish({ ...EXITING, trigger: { type: 'event', event_type: 'asked', ...more } }),
      await room.publish({ ...EXITING, trigger: { type: 'profile_change', attribute: 'plan', ...more } }),
      await room.publish({
        ...every,
        trigger: { type: 'event', event_type: 'came' },
        exit_on: [{ event_type: 'left', ...more }],
        steps: waitFor(more) as Definition['steps'],
      }),
    ];
    const settle = async () => {
      await room.upsert('ada@example.com', { plan: 'free' });
      await room.upsert('grace@example.com', {});
      await room.send('came', 'ada@example.com');
      await room.send('came', 'grace@example.com');
      await room.settle();
      await sendFromPage('Asked', 'ada@example.com', { plan: 'pro' });
      await sendFromPage('Bought', 'ada@example.com');
      await sendFromPage('Answered', 'ada@example.com');
      await sendFromPage('Left', 'grace@example.com');
      await room.settle();
      room.pass('PT2H');
      await room.settle();
    };
    const seenBy = async ([event, change, wait]: string[]) => ({
      event: (await room.runs(event as string)).length,
      change: (await room.runs(change as string)).length,
      wait: (await room.outcomes(wait as string)).filter((outcome) => outcome !== 'started' && outcome !== 'waiting'),
    });
    const TAKEN = { event: 1, change: 2, wait: ['matched', 'ended: completed', 'ended: exit_event'] };
    const LEFT_OUT = {
      event: 0,
      change: 1,
      wait: ['timed_out', 'branched', 'ended: completed', 'timed_out', 'branched', 'ended: completed'],
    };

    it('count where a definition says so, and otherwise not', async () => {
      const [taking, plain] = [await places({ from_client: true }), await places({})];
      await settle();
      expect(await seenBy(taking)).to.deep.equal(TAKEN);
      expect(await seenBy(plain)).to.deep.equal(LEFT_OUT);
      const branches = (await room.timeline(plain[2] as string)).filter(({ outcome }) => outcome === 'branched');
      expect(branches.map(({ detail }) => detail.case)).to.deep.equal([null, null]);
      const { body } = await room.client.get(`/v1/automations/${plain[0]}/preview`, { expect: 200 });
      expect(body.events[0]).to.include({ enters: false, reason: 'from_client' });
    });

    it('count for automations that are older than that option, unless they say no', async () => {
      const [plain, refusing] = [await places({}), await places({ from_client: false })];
      await sql`update automation set takes_client_events = true where store_id = ${room.storeId}`.execute(room.db);
      await settle();
      expect(await seenBy(plain)).to.deep.equal(TAKEN);
      expect(await seenBy(refusing)).to.deep.equal(LEFT_OUT);
      const { body } = await room.client.get(`/v1/automations/${plain[0]}`, { expect: 200 });
      expect(body.takes_client_events).to.equal(true);
      const preview = await room.client.get(`/v1/automations/${plain[0]}/preview`, { expect: 200 });
      expect(preview.body.events[0].enters).to.equal(true);
    });
  });
});
