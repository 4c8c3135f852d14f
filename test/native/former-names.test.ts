import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const DEFINITION = { identifier: 'email' };

describe('What is deprecated in responses', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    client = await service.client();
    await client.post('/v1/profiles/upsert', { identifiers: { email: 'ada@example.com' } }, { expect: 201 });
  });
  after(() => service.stop());

  const created = async (path: string, body: object) => (await client.post<any>(path, body)).body;
  const same = (object: any, names: Record<string, string>) => {
    for (const [former, name] of Object.entries(names)) {
      expect(object, name).to.have.property(name);
      expect(object[former], former).to.deep.equal(object[name]);
    }
  };

  it('is there under its former name too, of a list', async () => {
    const list = await created('/v1/lists', { name: 'Newsletter' });
    await client.post(`/v1/lists/${list.id}/members`, { members: [{ email: 'ada@example.com' }] }, { expect: 200 });
    const { body } = await client.get<any>(`/v1/lists/${list.id}`, { expect: 200 });
    expect(body.member_count).to.equal(1);
    same(body, { members: 'member_count' });
  });

  it('is there under its former name too, of a segment', async () => {
    const building = await created('/v1/segments', { name: 'With an address', definition: DEFINITION });
    expect(building.status).to.equal('building');
    same(building, { state: 'status', members: 'member_count' });
    same(building.progress, { profiles: 'profile_count' });
    const path = `/v1/segments/${building.id}`;
    await until(async () => (await client.get<any>(path)).body.status === 'live', 'it is live');
    const { body } = await client.get<any>(path);
    expect(body.member_count).to.equal(1);
    same(body, { state: 'status', members: 'member_count' });
    same(body.set_aside, { profiles: 'profile_count' });
    same((await client.get<any>(`${path}/stats`)).body.days.at(-1), { members: 'member_count' });
  });

  it('is there under its former name too, of a preview of a segment', async () => {
    const preview = await created('/v1/segments/preview', { definition: DEFINITION });
    expect(preview.member_estimate).to.deep.equal({ estimate: 1, low: 1, high: 1 });
    same(preview, { members: 'member_estimate', profiles: 'profile_count' });
    same(preview.conditions[0], { matches: 'match_count', unset: 'unset_count' });
  });

  it('is there under its former name too, of an import', async () => {
    const { id } = await created('/v1/imports', {});
    const headers = { 'Content-Type': 'application/json' };
    await client.send('PUT', `/v1/imports/${id}/parts/1`, '{"text":"email\\n"}', { headers, expect: 200 });
    const { body } = await client.get<any>(`/v1/imports/${id}`, { expect: 200 });
    expect([body.status, body.size_bytes, body.progress_ratio]).to.deep.equal(['open', 6, 0]);
    same(body, { state: 'status', bytes: 'size_bytes', progress: 'progress_ratio' });
  });
});
