import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { profileDocument, profileJobDocument } from './documents.ts';
import { errorsOf, expectRefusal, runJob, saveProfile } from './steps.ts';

const JOBS = '/compat/v1/data-privacy-deletion-jobs';
const EMAIL = 'ada@example.com';

describe('POST /compat/v1/data-privacy-deletion-jobs', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const erase = (attributes: object, expected = 202) =>
    client.post(JOBS, { data: { type: 'data-privacy-deletion-job', attributes } }, { expect: expected });
  const ofProfile = (data: object) => ({ profile: { data: { type: 'profile', ...data } } });

  const forms: Record<string, (id: string) => object> = {
    'an id': (id) => ofProfile({ id }),
    'an e-mail address': () => ofProfile({ attributes: { email: EMAIL } }),
    'the id, in the form of earlier revisions': (id) => ({ profile_id: id }),
    'the e-mail address, in the form of earlier revisions': () => ({ email: EMAIL }),
  };
  for (const [form, attributesOf] of Object.entries(forms)) {
    it(`erases whom ${form} names`, async () => {
      const { id } = await saveProfile(client, { email: EMAIL });
      await erase(attributesOf(id));
      await client.get(`/compat/v1/profiles/${id}`, { expect: 404 });
      expectRefusal(
        await client.post('/compat/v1/profiles', profileDocument({ email: EMAIL })),
        '/data/attributes/email',
      );
    });
  }

  it('accepts somebody whom nobody knows', async () => {
    await erase(ofProfile({ attributes: { external_id: 'stranger' } }));
    await erase(ofProfile({ id: '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77' }));
  });

  it('has an entry in the audit log, which says which erasure that was', async () => {
    await erase(ofProfile({ attributes: { email: 'audited@example.com' } }));
    const search = '/v1/audit-entries?operation=createDataPrivacyDeletionJob&limit=1';
    const [{ outcome, target }] = (await client.get<any>(search, { expect: 200 })).body.entries;
    expect(outcome).to.equal('done');
    await client.get(`/v1/erasures/${target}`, { expect: 200 });
  });

  it('refuses what names nobody', async () => {
    expectRefusal(await erase(ofProfile({ attributes: {} }), 400), '/data/attributes');
  });

  it('has jobs reject the items of who is gone, and drops what pages send of them', async () => {
    await erase(ofProfile({ attributes: { email: EMAIL } }));
    const job = await runJob(client, profileJobDocument([{ email: EMAIL }, { email: 'grace@example.com' }]));
    expect(job.attributes).to.include({ completed_count: 1, failed_count: 1 });
    const [error] = await errorsOf(client, job);
    expect(error.attributes.source.pointer).to.equal('/data/attributes/profiles/data/0/attributes/email');
    const profile = { data: { type: 'profile', attributes: { email: EMAIL } } };
    const metric = { data: { type: 'metric', attributes: { name: 'Visit' } } };
    const event = { data: { type: 'event', attributes: { properties: {}, metric, profile } } };
    await client.post('/compat/v1/client/events', event, { expect: 202 });
    await client.post('/compat/v1/client/profiles', profile, { expect: 202 });
    const { body } = await client.get(`/v1/profiles?email=${EMAIL}`, { expect: 200 });
    expect(body.profiles).to.deep.equal([]);
  });
});
