import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { create, createPublished, setStatus } from './support/drafts.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const JOINED = {
  trigger: { type: 'event', event_type: 'joined' },
  start: 'hour',
  steps: [{ id: 'hour', type: 'delay', for: 'PT1H', next: null }],
};

describe('DELETE /v1/automations/{id}', () => {
  let room: EngineRoom;
  let client: Client;

  useRooms((one) => {
    room = one;
    ({ client } = room);
  });

  const path = (id: string) => `/v1/automations/${id}`;
  const remove = (id: string, expected: number) => client.send('DELETE', path(id), undefined, { expect: expected });
  const listed = async () => (await client.get('/v1/automations', { expect: 200 })).body.automations;

  it('deletes a draft for good, and returns it as it was', async () => {
    const id = await create(client);
    const { body: before } = await client.get(path(id), { expect: 200 });
    expect((await remove(id, 200)).body).to.deep.equal(before);
    await client.get(path(id), { expect: 404 });
    await remove(id, 404);
    expect(await listed()).to.deep.equal([]);
  });

  it('deletes one that was archived before anybody entered it, with its versions', async () => {
    const id = await createPublished(client, JOINED);
    const { body } = await remove(id, 400);
    expect(body.error).to.include({ code: 'validation_error', field: 'id' });
    await setStatus(client, id, { status: 'archived' });
    await room.settle();
    await remove(id, 200);
    await client.get(`${path(id)}/versions/1`, { expect: 404 });
    expect(await listed()).to.deep.equal([]);
    await room.send('joined', 'ada@example.com');
    await room.settle();
  });

  it('refuses one that has run, whatever became of it', async () => {
    const id = await createPublished(client, JOINED);
    await room.send('joined', 'ada@example.com');
    await room.settle();
    await remove(id, 400);
    await setStatus(client, id, { status: 'archived' });
    await until(async () => {
      await room.settle();
      return (await client.get(path(id), { expect: 200 })).body.active_runs === 0;
    }, 'its run has ended');
    await remove(id, 400);
    expect(await listed()).to.have.length(1);
  });

  it('leaves that of another store alone', async () => {
    const id = await create(client);
    const other = await room.newStore();
    await other.client.send('DELETE', path(id), undefined, { expect: 404 });
    await client.get(path(id), { expect: 200 });
  });
});
