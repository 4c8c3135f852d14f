import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { type ProfileFields, profileJobDocument } from './documents.ts';
import { errorsOf, expectRefusal, followJob, pointersOf, runJob, saveProfile } from './steps.ts';

const PATH = '/compat/v1/profile-bulk-import-jobs';
const PROFILES = '/data/attributes/profiles/data';

describe('POST /compat/v1/profile-bulk-import-jobs', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.startInThread();
  });
  beforeEach(async () => {
    storeId = await service.newStore();
    client = await service.client({ storeId });
  });
  after(() => service.stop());

  const countProfiles = async () =>
    (await service.database.query(`select 1 from profile where store_id = '${storeId}'`)).length;
  const numbered = (count: number): ProfileFields[] =>
    Array.from({ length: count }, (_, i) => ({
      email: `customer${i}@example.com`,
      first_name: 'Ada',
      properties: { i },
    }));

  it('returns 202 with a job that can be followed to completion', async () => {
    const lists = { lists: { data: [{ type: 'list', id: 'Y6nRLr' }] } };
    const document = profileJobDocument([{ email: 'ada@example.com' }, { external_id: 'c2' }], lists);
    const { body } = await client.post(PATH, document, { expect: 202 });
    expect(body.data.type).to.equal('profile-bulk-import-job');
    expect(body.data.links.self).to.equal(`${service.url}${PATH}/${body.data.id}`);
    expect(body.data.attributes).to.include({ status: 'queued', total_count: 2, completed_count: 0, failed_count: 0 });
    const job = await runJob(client, document);
    expect(job.attributes).to.include({ status: 'complete', total_count: 2, completed_count: 2, failed_count: 0 });
    expect(await countProfiles()).to.equal(2);
  });

  it('ends the loop of a client that removes the address a detail begins with, and sends the rest', async () => {
    const good = ['ada@example.com', 'grace@example.com'];
    const left = ['ada', good[0], 'grace@', '"', 'alan@exa mple.com', good[1], 'ümlaut@@example.com'] as string[];
    for (let rounds = 0; ; rounds += 1) {
      const { status, body } = await client.post(PATH, profileJobDocument(left.map((email) => ({ email }))));
      if (status === 202) break;
      expect(rounds).to.be.below(5);
      const address = body.errors[0].detail.replace(/ is not a valid email\.$/, '');
      expect(left).to.include(address);
      left.splice(left.indexOf(address), 1);
    }
    expect(left).to.deep.equal(good);
    const kept = await service.database.query(`select message from rejection where store_id = '${storeId}'`);
    expect(JSON.stringify(kept)).not.to.include('alan@');
  });

  it('creates, updates and patches like the single operation', async () => {
    const { id } = await saveProfile(client, {
      email: 'ada@example.com',
      properties: { skus: ['1'], coupon: 'SPRING' },
    });
    const meta = { patch_properties: { append: { skus: '2' }, unset: ['coupon'] } };
    const grace = { email: 'grace@example.com', phone_number: '+4930123456', location: { city: 'Berlin', zip: null } };
    const job = await runJob(
      client,
      profileJobDocument([
        { external_id: 'c1', properties: { a: 1 }, beside: { id, meta } },
        { ...grace, title: 'Dr', properties: [] },
        { external_id: 'c1', properties: { a: null, b: [1] } },
      ]),
    );
    expect(job.attributes).to.include({ completed_count: 3, failed_count: 0 });
    const ada = await saveProfile(client, { beside: { id } });
    expect(ada.attributes).to.deep.include({ external_id: 'c1', properties: { skus: ['1', '2'], b: [1] } });
    const { attributes } = await saveProfile(client, { email: 'grace@example.com' });
    expect(attributes).to.include({ phone_number: '+4930123456', title: 'Dr' });
    expect(attributes.location).to.include({ city: 'Berlin', zip: null });
  });

  it('imports one profile for items of the same customer', async () => {
    const twice = [
      { email: 'ada@example.com', first_name: 'A' },
      { email: 'ADA@example.com', first_name: 'Ada' },
    ];
    const job = await runJob(client, profileJobDocument(twice));
    expect(job.attributes).to.include({ total_count: 2, completed_count: 2 });
    expect(await countProfiles()).to.equal(1);
    expect((await saveProfile(client, { email: 'ada@example.com' })).attributes.first_name).to.equal('Ada');
  });

  it("fails items that can't be stored, with pointers into the request, and imports the others", async () => {
    await saveProfile(client, { email: 'taken@example.com' });
    await saveProfile(client, { phone_number: '+4930123456' });
    await saveProfile(client, { external_id: 'c1' });
    const job = await runJob(
      client,
      profileJobDocument([
        { email: 'ada@example.com' },
        { external_id: 'c1', email: 'taken@example.com' },
        { external_id: 'c1', phone_number: '+4930123456' },
        { first_name: 'Ada', beside: { id: '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77' } },
        { external_id: 'c1', first_name: 'Ada' },
      ]),
    );
    expect(job.attributes).to.include({ status: 'complete', total_count: 5, completed_count: 2, failed_count: 3 });
    const errors = await errorsOf(client, job);
    expect(errors.map(({ id, attributes }: any) => [id, attributes.detail, attributes.source.pointer])).to.deep.equal([
      ['1', 'email belongs to another profile', `${PROFILES}/1/attributes/email`],
      ['2', 'phone_number belongs to another profile', `${PROFILES}/2/attributes/phone_number`],
      ['3', 'id is not the id of a profile', `${PROFILES}/3/id`],
    ]);
  });

  it('accepts 10,000 profiles, and refuses more', async () => {
    const { body } = await client.post(PATH, profileJobDocument(numbered(10_000)), { expect: 202 });
    expect(body.data.attributes.total_count).to.equal(10_000);
    expectRefusal(await client.post(PATH, profileJobDocument(numbered(10_001))), PROFILES);
    const job = await followJob(client, body.data.links.self);
    expect(job.attributes).to.include({ completed_count: 10_000, failed_count: 0 });
    expect(await countProfiles()).to.equal(10_000);
  });

  it('refuses a request with invalid items, with one error for each', async () => {
    const profiles = [
      { email: 'ada@example.com' },
      { email: 'not-an-email', phone_number: 'nor-a-number' },
      {},
      { email: 'grace@example.com', external_id: 'x'.repeat(256) },
      { phone_number: 'nor-a-number' },
    ];
    const refused = await client.post(PATH, profileJobDocument(profiles), { expect: 400 });
    expect(pointersOf(refused)).to.have.members([
      `${PROFILES}/1/attributes/email`,
      `${PROFILES}/2/attributes`,
      `${PROFILES}/3/attributes/external_id`,
      `${PROFILES}/4/attributes/phone_number`,
    ]);
    expect(await countProfiles()).to.equal(0);
  });

  it('refuses 10,000 invalid items with 10,000 errors', async () => {
    const profiles = Array.from({ length: 10_000 }, () => ({ email: 'not-an-email' }));
    const refused = await client.post(PATH, profileJobDocument(profiles), { expect: 400 });
    expect(refused.body.errors).to.have.length(10_000);
    expect(pointersOf(refused).at(-1)).to.equal(`${PROFILES}/9999/attributes/email`);
  });

  for (const between of [0, 499]) {
    it(`gives an address that one profile drops to the next that claims it, after ${between} others`, async () => {
      const [email, former] = ['ada@example.com', 'old@example.com'];
      const ada = await saveProfile(client, {
        email,
        beside: { meta: { patch_identifiers: { append: { email: former } } } },
      });
      const job = await runJob(
        client,
        profileJobDocument([
          { email, beside: { meta: { patch_identifiers: { unappend: { email: former } } } } },
          ...numbered(between),
          { external_id: 'c1', email: former },
        ]),
      );
      expect(job.attributes).to.include({ completed_count: between + 2, failed_count: 0 });
      const claimed = await saveProfile(client, { external_id: 'c1' });
      expect(claimed.attributes.email).to.equal(former);
      expect(claimed.id).not.to.equal(ada.id);
    });
  }
});
