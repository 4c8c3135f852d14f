import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

describe('POST /compat/v1/profile-merge', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const merge = (id: string, sources: readonly string[], expected: number) => {
    const profiles = { data: sources.map((source) => ({ type: 'profile', id: source })) };
    const data = { type: 'profile-merge', id, relationships: { profiles } };
    return client.post('/compat/v1/profile-merge', { data }, { expect: expected });
  };
  const create = async (identifiers: object): Promise<string> =>
    (await client.post('/v1/profiles/upsert', { identifiers })).body.id;

  it('merges one profile into another, whose id it answers, and answers a repetition the same', async () => {
    const [id, from] = [await create({ email: 'ada@example.com' }), await create({ email: 'guest@example.com' })];
    const { body } = await merge(id, [from], 201);
    expect(body.data).to.include({ type: 'profile', id });
    expect((await merge(id, [from], 201)).body).to.deep.equal(body);
    const read = await client.get(`/compat/v1/profiles/${from}`, { expect: 200 });
    expect(read.body.data.id).to.equal(id);
    expect(await create({ email: 'guest@example.com' })).to.equal(id);
  });

  it('finds both by their ids at the third party', async () => {
    const [one, other] = ['01GDDKASAP8TKDDA2GRZDSVP4H', '01GDDKASAP8TKDDA2GRZDSVP4I'];
    const id = await create({ source_id: one });
    await create({ source_id: other });
    expect((await merge(one, [other], 201)).body.data.id).to.equal(id);
  });

  it('is refused unless there are exactly one source and one destination', async () => {
    const [id, from] = [await create({ external_id: 'c1' }), await create({ external_id: 'c2' })];
    for (const sources of [[], [from, id]]) await merge(id, sources, 400);
    await merge('nobody', [from], 404);
    for (const source of ['nobody', id]) {
      const { body } = await merge(id, [source], 400);
      expect(body.errors[0].source).to.deep.equal({ pointer: '/data/relationships/profiles/data/0/id' });
    }
  });
});
