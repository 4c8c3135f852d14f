import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { create, createPublished, setStatus } from './support/drafts.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const UNKNOWN_ID = '01a1f83b-0000-7000-8000-000000000000';
/** Entered by `placed_order`, takes an hour. */
const HOUR = {
  trigger: { type: 'event', event_type: 'placed_order' },
  start: 'hour',
  steps: [{ id: 'hour', type: 'delay', for: 'PT1H', next: null }],
};

describe('PUT /v1/automations/{id}/status', () => {
  let room: EngineRoom;
  let client: Client;

  useRooms((one) => {
    room = one;
    ({ client } = room);
  });

  const get = async (id: string) => (await client.get(`/v1/automations/${id}`, { expect: 200 })).body;
  const order = async (email: string) => {
    await room.send('placed_order', email);
    await room.settle();
  };

  it('goes from live to paused, live, draining, paused and draining again, and ends with archived', async () => {
    const id = await createPublished(client);
    let before = await get(id);
    for (const status of ['paused', 'live', 'draining', 'paused', 'draining', 'live', 'archived']) {
      const { body } = await setStatus(client, id, { status });
      expect(body).to.deep.equal({ ...before, status, updated_at: body.updated_at });
      expect(await get(id)).to.deep.equal(body);
      before = body;
    }
  });

  it('changes nothing if it is the same again', async () => {
    for (const status of ['live', 'paused', 'draining', 'archived']) {
      const id = await createPublished(client, HOUR);
      const { body } = await setStatus(client, id, { status });
      expect((await setStatus(client, id, { status, overdue: 'exit', spread: 'PT0S' })).body).to.deep.equal(body);
    }
  });

  it('can only be archived before the first publication, and never again be draft', async () => {
    const id = await create(client);
    for (const status of ['live', 'paused', 'draining']) {
      const { body } = await setStatus(client, id, { status }, 400);
      const message = `status must not be ${status} before a version is published`;
      expect(body.error).to.include({ code: 'validation_error', field: 'status', message });
    }
    for (const status of ['draft', 'off', null]) {
      expect((await setStatus(client, id, { status }, 400)).body.error.field).to.equal('status');
    }
    expect(await get(id)).to.include({ status: 'draft' });
    await setStatus(client, id, { status: 'archived' });
    for (const status of ['live', 'paused', 'draining']) {
      const { body } = await setStatus(client, id, { status }, 400);
      expect(body.error).to.include({ field: 'status', message: 'status must stay archived' });
    }
    expect(await get(id)).to.include({ status: 'archived', version: null });
  });

  it('decides what is stored after it: who enters, and what becomes of runs', async () => {
    const id = await createPublished(client, HOUR);
    await room.send('placed_order', 'live@example.com');
    await setStatus(client, id, { status: 'paused' });
    await room.send('placed_order', 'paused@example.com');
    await setStatus(client, id, { status: 'draining' });
    await order('draining@example.com');
    expect(await get(id)).to.include({ status: 'draining', active_runs: 1 });
    expect(await room.skips(id)).to.deep.equal(['paused']);
    room.pass('PT1H');
    await setStatus(client, id, { status: 'paused' });
    await room.settle();
    expect(await get(id)).to.include({ active_runs: 1 });
    await setStatus(client, id, { status: 'archived' });
    await room.settle();
    expect(await get(id)).to.include({ active_runs: 0 });
    expect((await room.outcomes(id)).at(-1)).to.equal('ended: archived');
  });

  it('ends overdue runs as it is resumed, if that is asked for', async () => {
    const id = await createPublished(client, HOUR);
    await order('ada@example.com');
    await setStatus(client, id, { status: 'paused' });
    room.pass('PT2H');
    await setStatus(client, id, { status: 'live', overdue: 'exit' });
    room.pass('PT1M');
    await room.settle();
    expect((await room.outcomes(id)).at(-1)).to.match(/^ended: (?:overdue|completed)$/);
    expect(await get(id)).to.include({ active_runs: 0 });
  });

  for (const spread of ['', '1h', 'P1M', 'PT', '-PT1M', 'P2D', 'PT24H1S', 'P1DT1S', 'PT0.5S', 'PT999999999H']) {
    it(`is not changed with a spread of "${spread}"`, async () => {
      const id = await createPublished(client);
      const { body } = await setStatus(client, id, { status: 'paused', spread }, 400);
      expect(body.error).to.include({ code: 'validation_error', field: 'spread' });
      expect(await get(id)).to.include({ status: 'live' });
    });
  }

  it('may be changed with a spread of up to a day, and with nothing else', async () => {
    const id = await createPublished(client);
    for (const spread of ['PT0S', 'P1D', 'PT24H', 'PT86400S']) {
      await setStatus(client, id, { status: 'paused' });
      await setStatus(client, id, { status: 'live', spread });
    }
    expect((await setStatus(client, id, { status: 'paused', overdue: 'skip' }, 400)).body.error.field).to.equal(
      'overdue',
    );
    expect((await setStatus(client, id, { status: 'paused', at: 1 }, 400)).body.error.field).to.equal('at');
  });

  it('is that of an automation of the store', async () => {
    const id = await createPublished(client);
    const other = await room.service.client();
    for (const [one, unknown] of [
      [other, id],
      [client, UNKNOWN_ID],
      [client, 'nothing'],
    ] as const) {
      await setStatus(one, unknown, { status: 'paused' }, 404);
    }
    expect(await get(id)).to.include({ status: 'live' });
  });
});
