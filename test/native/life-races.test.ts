import { expect } from 'chai';
import { eventDocument, profileDocument, profileJobDocument } from '../compat/documents.ts';
import { followJob } from '../compat/steps.ts';
import { Client } from '../support/client.ts';
import { expectNobodyLost, settleLives } from '../support/lives.ts';
import { holdRows } from '../support/obstacles.ts';
import { until } from '../support/process.ts';
import { spread } from '../support/sample.ts';
import { TestService } from '../support/service.ts';

const WAITING = {
  name: 'Waits',
  trigger: { type: 'event', event_type: 'asked' },
  start: 'wait',
  steps: [{ id: 'wait', type: 'delay', for: 'P1D', next: null }],
};

/** Where a merge or an erasure is stopped: rows that somebody else holds. `$from` is the one who goes. */
const PLACES: Record<string, { table: string; condition: string }> = {
  'their run': { table: 'automation_run', condition: `profile_id = '$from' and status = 'active'` },
  'their profile': { table: 'profile', condition: `id = '$from'` },
  'the profile that stays': { table: 'profile', condition: `id = '$id'` },
  'their identifiers': { table: 'profile_identifier', condition: `profile_id = '$from'` },
  'their consent': { table: 'consent', condition: `profile_id = '$from'` },
  'their list': { table: 'list_member', condition: `profile_id = '$from'` },
  'their events, later': { table: 'event', condition: `profile_id = '$from'` },
};

interface Scene {
  client: Client;
  /** Who stays, and who is merged or erased. */
  id: string;
  from: string;
  list: string;
}

/** What happens meanwhile. Each answers the ids of events that were acknowledged. */
const RACERS: Record<string, (scene: Scene) => Promise<string[]>> = {
  'an event': async ({ client }) => {
    const event = { event_type: 'visit', profile: { email: 'from@example.com' } };
    return [(await client.post('/v1/events', event, { expect: 201 })).body.id];
  },
  'an event with a new identifier and attributes': async ({ client }) => {
    const profile = { email: 'from@example.com', external_id: 'new', properties: { plan: 'pro' } };
    const { body } = await client.post(
      '/compat/v1/events',
      eventDocument({ metric: 'Visit', properties: {}, profile }),
      {
        expect: 202,
      },
    );
    return [body.data.id];
  },
  'an event that starts a run': async ({ client }) => {
    const event = { event_type: 'asked', profile: { email: 'from@example.com' } };
    return [(await client.post('/v1/events', event, { expect: 201 })).body.id];
  },
  'an upsert': async ({ client }) => {
    const body = { identifiers: { email: 'from@example.com', phone: '+442079460958' }, attributes: { plan: 'pro' } };
    expect((await client.post('/v1/profiles/upsert', body)).status).to.be.oneOf([200, 201]);
    return [];
  },
  'an upsert of the compatibility surface by id': async ({ client, from }) => {
    const document = profileDocument({ first_name: 'Ada', beside: { id: from } });
    expect((await client.post('/compat/v1/profiles', document)).status).to.be.oneOf([201, 400]);
    return [];
  },
  'a choice': async ({ client, from }) => {
    const choice = JSON.stringify({ email: { status: 'unsubscribed' } });
    const headers = { 'Content-Type': 'application/json' };
    const { status } = await client.send('PUT', `/v1/profiles/${from}/consent`, choice, { headers });
    expect(status).to.be.oneOf([200, 404]);
    return [];
  },
  'a list': async ({ client, list }) => {
    const members = [{ email: 'from@example.com' }];
    await client.post(`/v1/lists/${list}/members/remove`, { members }, { expect: 200 });
    await client.post(`/v1/lists/${list}/members`, { members }, { expect: 200 });
    return [];
  },
  'an import': async ({ client }) => {
    const document = profileJobDocument([{ email: 'from@example.com', first_name: 'Ada' }]);
    const { body } = await client.post('/compat/v1/profile-bulk-import-jobs', document, { expect: 202 });
    await followJob(client, body.data.links.self);
    return [];
  },
  'a merge of a third': async ({ client, from }) => {
    const { body } = await client.post('/v1/profiles/upsert', { identifiers: { external_id: 'third' } });
    const { status } = await client.post(`/v1/profiles/${from}/merge`, { from: body.id });
    expect(status).to.be.oneOf([202, 400, 404]);
    return [];
  },
  'the same merge the other way round': async ({ client, id, from }) => {
    expect((await client.post(`/v1/profiles/${from}/merge`, { from: id })).status).to.be.oneOf([202, 400, 404]);
    return [];
  },
};

describe('A customer who is merged or erased, stopped at each step while something else happens', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' });
  });
  after(() => service.stop());

  const query = <Row>(statement: string) => service.database.query<Row>(statement.replaceAll('$store', `'${storeId}'`));

  /** Two customers of a new store, of whom one has everything that a merge moves. */
  async function openScene(): Promise<Scene> {
    const created = await service.newKey();
    storeId = created.storeId;
    client = new Client(service.url, created.key);
    const { body: automation } = await client.post('/v1/automations', { definition: WAITING }, { expect: 201 });
    await client.post(`/v1/automations/${automation.id}/publish`, { revision: automation.revision }, { expect: 200 });
    const { body: list } = await client.post('/v1/lists', { name: 'Club' }, { expect: 201 });
    const upsert = async (name: string) =>
      (await client.post('/v1/profiles/upsert', { identifiers: { email: `${name}@example.com` } }, { expect: 201 }))
        .body.id as string;
    const [id, from] = [await upsert('stays'), await upsert('from')];
    await client.post('/v1/events', { event_type: 'asked', profile: { email: 'from@example.com' } }, { expect: 201 });
    await client.post(`/v1/lists/${list.id}/members`, { members: [{ email: 'from@example.com' }] }, { expect: 200 });
    const choice = JSON.stringify({ email: { status: 'subscribed' } });
    await client.send('PUT', `/v1/profiles/${from}/consent`, choice, {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    await until(
      async () => (await query(`select from automation_run where store_id = $store`)).length > 0,
      'a run has started',
    );
    return { client, id, from, list: list.id };
  }

  /** Begins, waits until it is stopped, has something else happen, and lets both go on. */
  async function race(scene: Scene, place: string, begin: () => Promise<unknown>, racer: string): Promise<string[]> {
    const { table, condition } = PLACES[place] as (typeof PLACES)[string];
    const rows = condition.replaceAll('$from', scene.from).replaceAll('$id', scene.id);
    const release = await holdRows(service.database, table, `store_id = '${storeId}' and ${rows}`);
    let released = false;
    try {
      const begun = begin();
      await until(() => service.database.isWaiting(), `it is stopped at ${place}`);
      const raced = (RACERS[racer] as (typeof RACERS)[string])(scene);
      // It comes as far as it can.
      await Promise.race([raced, new Promise((done) => setTimeout(done, 100))]);
      released = true;
      await release();
      await begun;
      return await raced;
    } finally {
      if (!released) await release();
    }
  }

  for (const [i, place] of Object.keys(PLACES).entries()) {
    it(`is merged, and loses nothing, stopped at ${place}`, async () => {
      for (const racer of spread(Object.keys(RACERS), 2, i)) {
        const scene = await openScene();
        const merge = () => client.post(`/v1/profiles/${scene.id}/merge`, { from: scene.from }, { expect: 202 });
        const acknowledged = await race(scene, place, merge, racer);
        await settleLives(query);
        const { body } = await client.get('/v1/profiles?email=from@example.com', { expect: 200 });
        const survivor = body.profiles[0].id;
        const events = await query<{ id: string }>(
          `select id from event where store_id = $store and profile_id = '${survivor}'`,
        );
        expect(
          events.map(({ id }) => id),
          racer,
        ).to.include.members(acknowledged);
        expect(events.length, racer).to.be.greaterThan(acknowledged.length);
        await expectNobodyLost(query);
      }
    });

    if (place === 'the profile that stays') continue;
    it(`is erased, and leaves nothing, stopped at ${place}`, async () => {
      for (const racer of spread(Object.keys(RACERS), 2, i + 7)) {
        const scene = await openScene();
        const erase = () => client.post('/v1/erasures', { profile_id: scene.from, suppress_days: 0 }, { expect: 202 });
        await race(scene, place, erase, racer);
        await settleLives(query);
        await client.get(`/v1/profiles/${scene.from}`, { expect: 404 });
        await expectNobodyLost(query);
      }
    });
  }
});
