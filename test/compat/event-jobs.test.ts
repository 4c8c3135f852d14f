import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { type EventGroup, eventJobDocument } from './documents.ts';
import { errorsOf, expectRefusal, pointersOf, recordEvent, runJob, saveProfile } from './steps.ts';

const PATH = '/compat/v1/event-bulk-create-jobs';
const GROUPS = '/data/attributes/events-bulk-create/data';

describe('POST /compat/v1/event-bulk-create-jobs', () => {
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

  const group = (email: string, ...names: string[]): EventGroup => ({
    profile: { email },
    events: names.map((unique_id) => ({ metric: 'Visit', unique_id })),
  });
  const countEvents = async () =>
    (await service.database.query(`select 1 from event where store_id = '${storeId}'`)).length;

  it('returns 202 with a job that can be followed to completion', async () => {
    const before = Date.now();
    const document = eventJobDocument([group('ada@example.com', 'a', 'b'), group('grace@example.com', 'a')]);
    const accepted = await client.post(PATH, document, { expect: 202 });
    const { type, id, attributes, links } = accepted.body.data;
    expect(type).to.equal('event-bulk-create-job');
    expect(links.self).to.equal(`${service.url}${PATH}/${id}`);
    expect(attributes).to.include({ status: 'queued', total_count: 3, completed_count: 0, failed_count: 0 });
    expect(attributes).to.include({ started_at: null, completed_at: null });
    expect(Date.parse(attributes.created_at)).to.be.within(before, Date.now());
    expect(Date.parse(attributes.expires_at) - Date.parse(attributes.created_at)).to.equal(7 * 24 * 60 * 60 * 1000);

    const job = await runJob(client, document);
    expect(job.attributes).to.include({ status: 'complete', total_count: 3, completed_count: 3, failed_count: 0 });
    expect(Date.parse(job.attributes.completed_at)).to.be.at.least(Date.parse(job.attributes.started_at));
    expect(await errorsOf(client, job)).to.deep.equal([]);
  });

  it('records the same as the single operation', async () => {
    const event = {
      metric: { name: 'Placed Order', service: 'shopify' },
      properties: { order_id: 'o1', value: 'own', nested: { a: [1, null] } },
      time: '2026-11-20T09:15:27+01:00',
      value: '59.90',
      value_currency: 'EUR',
      unique_id: 'o1',
    };
    await runJob(
      client,
      eventJobDocument([{ profile: { email: 'ada@example.com' }, backfill: true, events: [event] }]),
    );
    // A repeat shows the event that was recorded.
    const { attributes } = await recordEvent(client, { ...event, profile: { email: 'ada@example.com' } });
    expect(await countEvents()).to.equal(1);
    expect(attributes).to.deep.equal({
      metric: { data: { type: 'metric', attributes: event.metric } },
      properties: event.properties,
      time: '2026-11-20T08:15:27.000Z',
      value: 59.9,
      value_currency: 'EUR',
      unique_id: 'o1',
      backfill: true,
    });
  });

  it('updates the profile of a group, and patches it by its meta', async () => {
    const email = 'ada@example.com';
    const { id } = await saveProfile(client, { email, properties: { skus: ['1'], coupon: 'SPRING' } });
    const meta = { patch_properties: { append: { skus: '2' }, unset: 'coupon' } };
    const profile = { email, external_id: 'c1', first_name: 'Ada', beside: { meta } };
    await runJob(client, eventJobDocument([{ profile, events: [{ metric: 'Visit' }, { metric: 'Visit' }] }]));
    const { attributes } = await saveProfile(client, { beside: { id } });
    expect(attributes).to.deep.include({ external_id: 'c1', first_name: 'Ada', properties: { skus: ['1', '2'] } });
  });

  it('records a repeated unique_id once, and counts it as completed', async () => {
    await recordEvent(client, { metric: 'Visit', profile: { email: 'ada@example.com' }, unique_id: 'a' });
    const groups = [group('ada@example.com', 'a', 'b', 'b'), group('ada@example.com', 'b', 'c')];
    const job = await runJob(client, eventJobDocument(groups));
    expect(job.attributes).to.include({ total_count: 5, completed_count: 5, failed_count: 0 });
    expect(await countEvents()).to.equal(3);
  });

  it('recognises a repeat in the same request that identifies the customer differently', async () => {
    await recordEvent(client, { metric: 'Signup', profile: { email: 'ada@example.com', external_id: 'c1' } });
    const other: EventGroup = { profile: { external_id: 'c1' }, events: [{ metric: 'Visit', unique_id: 'a' }] };
    const job = await runJob(client, eventJobDocument([group('ada@example.com', 'a'), other]));
    expect(job.attributes).to.include({ total_count: 2, completed_count: 2, failed_count: 0 });
    expect(await countEvents()).to.equal(2);
  });

  it('accepts a repeated request, and records nothing twice', async () => {
    const document = eventJobDocument([group('ada@example.com', 'a', 'b')]);
    const [first, second] = await Promise.all([runJob(client, document), runJob(client, document)]);
    expect(first.id).not.to.equal(second.id);
    expect(await countEvents()).to.equal(2);
  });

  it('leaves out a malformed phone number next to another identifier, and says so in a header', async () => {
    const groups = [
      group('ada@example.com', 'a'),
      { ...group('x', 'b'), profile: { external_id: 'c1', phone_number: '?' } },
    ];
    const accepted = await client.post(PATH, eventJobDocument(groups), { expect: 202 });
    expect(accepted.headers['x-klaviyo-partial-failure']).to.equal('phone_number');
  });

  it('records an event with an identifier that another profile owns', async () => {
    await saveProfile(client, { email: 'ada@example.com' });
    await saveProfile(client, { external_id: 'c2' });
    const profile = { external_id: 'c2', email: 'ada@example.com' };
    const job = await runJob(client, eventJobDocument([{ profile, events: [{ metric: 'Visit' }] }]));
    expect(job.attributes).to.include({ completed_count: 1, failed_count: 0 });
  });

  it('fails the events of a profile that does not exist, and records the others', async () => {
    const unknown = { profile: { beside: { id: '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77' } } };
    const groups = [
      group('ada@example.com', 'a'),
      { ...group('', 'b', 'c'), ...unknown },
      group('grace@example.com', 'd'),
    ];
    const job = await runJob(client, eventJobDocument(groups));
    expect(job.attributes).to.include({ status: 'complete', total_count: 4, completed_count: 2, failed_count: 2 });
    const errors = await errorsOf(client, job);
    expect(errors.map(({ id }: { id: string }) => id)).to.deep.equal(['1', '2']);
    expect(errors[0]).to.deep.equal({
      type: 'import-error',
      id: '1',
      attributes: {
        code: 'validation_error',
        title: 'Invalid input',
        detail: 'id is not the id of a profile',
        source: { pointer: `${GROUPS}/1/attributes/profile/data/id` },
      },
    });
  });

  it('accepts 1,000 events, counted across the groups, and refuses more', async () => {
    const names = Array.from({ length: 500 }, (_, i) => `e${i}`);
    const groups = [group('ada@example.com', ...names), group('grace@example.com', ...names)];
    const job = await runJob(client, eventJobDocument(groups));
    expect(job.attributes).to.include({ total_count: 1000, completed_count: 1000 });
    const refused = await client.post(PATH, eventJobDocument([...groups, group('emmy@example.com', 'one')]));
    expectRefusal(refused, GROUPS);
    expect(await countEvents()).to.equal(1000);
  });

  it('completes at once if there is nothing to do', async () => {
    for (const groups of [[], [group('ada@example.com')]]) {
      const job = await runJob(client, eventJobDocument(groups));
      expect(job.attributes).to.include({ status: 'complete', total_count: 0 });
    }
  });

  it('refuses a request with invalid items, with one error for each', async () => {
    const groups = [
      group('ada@example.com', 'a'),
      group('not-an-email', 'b'),
      {
        profile: { email: 'grace@example.com' },
        events: [{ metric: 'Visit' }, { metric: '', value: 'x', time: 'then' }],
      },
      { profile: {}, events: [{ metric: 'Visit', time: '1889-01-01' }] },
    ];
    const refused = await client.post(PATH, eventJobDocument(groups), { expect: 400 });
    expect(pointersOf(refused)).to.have.members([
      `${GROUPS}/1/attributes/profile/data/attributes/email`,
      `${GROUPS}/2/attributes/events/data/1/attributes/metric/data/attributes/name`,
      `${GROUPS}/3/attributes/profile/data/attributes`,
      `${GROUPS}/3/attributes/events/data/0/attributes/time`,
    ]);
    expect(await countEvents()).to.equal(0);
  });
});
