import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { eventJobDocument, profileDocument, profileJobDocument } from './documents.ts';
import { expectRefusal, profileOf, recordEvent, runJob } from './steps.ts';

const BASE = '/compat/v1';
const FOREIGN = '01GDDKASAP8TKDDA2GRZDSVP4H';
const UNKNOWN = '01HXXXXXXXXXXXXXXXXXXXXXXX';

describe('The ids that profiles had at the third party', () => {
  let service: TestService;
  let client: Client;
  let id: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
    const identifiers = { email: 'ada@example.com', source_id: FOREIGN };
    const { body } = await client.post('/v1/profiles/upsert', { identifiers }, { expect: 201 });
    expect(body.identifiers).to.deep.equal({
      email: 'ada@example.com',
      phone: null,
      external_id: null,
      source_id: FOREIGN,
    });
    id = body.id;
  });
  after(() => service.stop());

  const patch = (path: string, document: object, status: number) =>
    client.send('PATCH', path, JSON.stringify(document), {
      expect: status,
      headers: { 'Content-Type': 'application/json' },
    });

  it('find a profile by its path, and by filters of profiles and events', async () => {
    const { body: profile } = await client.get(`${BASE}/profiles/${FOREIGN}`, { expect: 200 });
    expect(profile.data.id).to.equal(id);
    const event = await recordEvent(client, { metric: 'Visit', profile: { email: 'ada@example.com' } });
    for (const [path, filter, found] of [
      ['profiles', `equals(id,"${FOREIGN}")`, [id]],
      ['profiles', `any(id,["${UNKNOWN}","${FOREIGN}"])`, [id]],
      ['profiles', `any(id,["${id}","${FOREIGN}"])`, [id]],
      ['profiles', `equals(id,"${FOREIGN.toLowerCase()}")`, []],
      ['events', `equals(profile_id,"${FOREIGN}")`, [event.id]],
      ['events', `equals(profile_id,"${UNKNOWN}")`, []],
    ] as const) {
      const { body } = await client.get(`${BASE}/${path}?${new URLSearchParams({ filter })}`, { expect: 200 });
      expect(
        body.data.map((one: { id: string }) => one.id),
        filter,
      ).to.deep.equal(found);
    }
  });

  it('select the profile to change, alone or in a job', async () => {
    const change = (name: string) => profileDocument({ first_name: name, beside: { id: FOREIGN } });
    const name = async () => (await client.get(`${BASE}/profiles/${id}`)).body.data.attributes.first_name;
    expect((await patch(`${BASE}/profiles/${FOREIGN}`, change('A'), 200)).body).to.have.nested.property('data.id', id);
    expect(await name()).to.equal('A');
    await client.post(`${BASE}/profiles`, change('B'), { expect: 201 });
    expect(await name()).to.equal('B');
    await client.post(`${BASE}/profile-import`, change('C'), { expect: 200 });
    expect(await name()).to.equal('C');
    const job = await runJob(client, profileJobDocument([{ first_name: 'D', beside: { id: FOREIGN } }]));
    expect(job.attributes).to.include({ completed_count: 1, failed_count: 0 });
    expect(await name()).to.equal('D');
  });

  it('select the profile of an event, alone or in a job', async () => {
    const event = await recordEvent(client, { metric: 'Visit', profile: { beside: { id: FOREIGN } } });
    expect((await profileOf(client, event)).id).to.equal(id);
    const job = eventJobDocument([{ profile: { beside: { id: FOREIGN } }, events: [{ metric: 'Visit' }] }]);
    expect((await runJob(client, job)).attributes).to.include({ completed_count: 1 });
    const { body } = await client.get(`/v1/profiles/${id}/events`, { expect: 200 });
    expect(body.events).to.have.length(2);
  });

  it('are refused where nobody has them, at their item, and create nothing', async () => {
    const unknown = { first_name: 'X', beside: { id: UNKNOWN } };
    await client.get(`${BASE}/profiles/${UNKNOWN}`, { expect: 404 });
    await patch(`${BASE}/profiles/${UNKNOWN}`, profileDocument(unknown), 404);
    await patch(`${BASE}/profiles/${FOREIGN}`, profileDocument(unknown), 400);
    expectRefusal(await client.post(`${BASE}/profiles`, profileDocument(unknown)), '/data/id');
    const profiles = profileJobDocument([{ email: 'new@example.com' }, unknown, { beside: { id: FOREIGN } }]);
    const refused = await client.post(`${BASE}/profile-bulk-import-jobs`, profiles);
    expectRefusal(refused, '/data/attributes/profiles/data/1/id');
    const groups = eventJobDocument([{ profile: unknown, events: [{ metric: 'Visit' }] }]);
    const place = '/data/attributes/events-bulk-create/data/0/attributes/profile/data/id';
    expectRefusal(await client.post(`${BASE}/event-bulk-create-jobs`, groups), place);
    const { body } = await client.get('/v1/profiles', { expect: 200 });
    expect(body.profiles).to.have.length(1);
  });

  it('belong to one profile of the store each', async () => {
    const other = { external_id: 'c2', source_id: FOREIGN };
    const { body: same } = await client.post('/v1/profiles/upsert', { identifiers: other }, { expect: 200 });
    expect(same.id).to.equal(id);
    const { body: second } = await client.post('/v1/profiles/upsert', { identifiers: { email: 'b@example.com' } });
    const taken = { email: 'b@example.com', source_id: FOREIGN };
    const { body } = await client.post('/v1/profiles/upsert', { identifiers: taken }, { expect: 400 });
    expect(body.error.field).to.equal('identifiers.email');
    const found = await client.get(`/v1/profiles?source_id=${FOREIGN}`, { expect: 200 });
    expect(found.body.profiles.map((profile: { id: string }) => profile.id)).to.deep.equal([id]);
    expect(second.identifiers).not.to.have.property('source_id');
    const stranger = await service.client();
    await stranger.get(`${BASE}/profiles/${FOREIGN}`, { expect: 404 });
    expect((await stranger.get(`/v1/profiles?source_id=${FOREIGN}`)).body.profiles).to.deep.equal([]);
  });
});
