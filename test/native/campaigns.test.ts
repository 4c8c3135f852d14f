import { expect } from 'chai';
import { addresses, Campaigns } from '../campaigns/support/campaigns.ts';
import type { Client } from '../support/client.ts';
import { saveMessageSettings } from '../support/message-settings.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';

const ALL = ['messages:write', 'messages:read', 'messages:send'];
const LATER = '2035-01-01T08:00:00.000Z';

describe('Campaigns', () => {
  let service: TestService;
  let campaigns: Campaigns;
  let client: Client;

  before(async () => {
    // What is scheduled stays so.
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
    client = campaigns.shop.client;
  });
  after(() => service.stop());

  const post = async (path: string, body: object, expected: number) =>
    (await client.post<any>(path, body, { expect: expected })).body;
  const refusal = async (path: string, body: object) => (await post(path, body, 400)).error;

  describe('POST /v1/campaigns', () => {
    it('creates a draft, of which everything but a name and a channel may come later', async () => {
      const created = await post('/v1/campaigns', { name: 'Autumn', channel: 'sms' }, 201);
      expect(created).to.deep.include({
        ...{ name: 'Autumn', channel: 'sms', status: 'draft', revision: 1, template_id: null, sender_id: null },
        ...{
          audience: null,
          test: null,
          hold_out_percent: 0,
          test_outcome: null,
          recipient_count: 0,
          scheduled_at: null,
          started_at: null,
          class: null,
        },
      });
      expect(await campaigns.get(created.id)).to.deep.equal(created);
    });

    it('refuses what the store does not have, and audiences of nobody, by field', async () => {
      const own = await campaigns.list();
      const draft = (more: object) => ({ name: 'Autumn', channel: 'email', ...more });
      const audience = (any: object[], not: object[] = []) => draft({ audience: { any, not } });
      const cases: [object, string][] = [
        [draft({ template_id: UNKNOWN_ID }), 'template_id'],
        [draft({ sender_id: UNKNOWN_ID }), 'sender_id'],
        [audience([{ list: UNKNOWN_ID }]), 'audience.any[0].list'],
        [audience([{ list: own }], [{ segment: UNKNOWN_ID }]), 'audience.not[0].segment'],
        [audience([]), 'audience.any'],
        [audience([{}]), 'audience.any[0]'],
        [audience([{ list: own, segment: own }]), 'audience.any[0]'],
        [audience([{ campaign: { id: UNKNOWN_ID, who: 'failed' } }]), 'audience.any[0].campaign'],
        [audience([{ campaign: { id: UNKNOWN_ID, who: 'fans' } }]), 'audience.any[0].campaign.who'],
        [audience([{ campaign: { id: UNKNOWN_ID } }]), 'audience.any[0].campaign.who'],
        [draft({ channel: 'fax' }), 'channel'],
        [draft({ subject: ' ' }), 'subject'],
        [draft({ subject: '{{ profile' }), 'subject'],
        [draft({ subject: 'Moved', channel: 'sms' }), 'subject'],
        [draft({ name: ' ' }), 'name'],
      ];
      for (const [body, field] of cases) expect((await refusal('/v1/campaigns', body)).field).to.equal(field);
    });

    it('refuses times that no campaign can have, by field', async () => {
      const own = { default: 'Europe/Berlin' };
      const hours = { from: '08:00', to: '20:00' };
      const cases: [object, string][] = [
        [{ local_time: '2035-01-01T25:00', time_zone: own }, 'timing.local_time'],
        [{ local_time: '2035-02-29T09:00', time_zone: own }, 'timing.local_time'],
        [{ local_time: '2035-01-01T09:00Z', time_zone: own }, 'timing.local_time'],
        [{ local_time: '2035-01-01T09:00' }, 'timing.time_zone'],
        [{ hours }, 'timing.time_zone'],
        [{ spread: 'PT1H', time_zone: own }, 'timing.time_zone'],
        [{ hours, time_zone: { default: 'Mars/Olympus' } }, 'timing.time_zone.default'],
        [{ hours, time_zone: { attribute: [], ...own } }, 'timing.time_zone.attribute'],
        [{ hours: { from: '20:00', to: '20:00' }, time_zone: own }, 'timing.hours.to'],
        [{ hours: { ...hours, from: '24:00' }, time_zone: own }, 'timing.hours.from'],
        [{ hours: { ...hours, weekdays: [] }, time_zone: own }, 'timing.hours.weekdays'],
        [{ hours: { ...hours, weekdays: ['someday'] }, time_zone: own }, 'timing.hours.weekdays[0]'],
        [{ hours: { ...hours, otherwise: 'guess' }, time_zone: own }, 'timing.hours.otherwise'],
        [{ spread: 'soon' }, 'timing.spread'],
        [{ spread: 'PT0S' }, 'timing.spread'],
        [{ spread: '-PT1H' }, 'timing.spread'],
        [{ spread: 'PT25H' }, 'timing.spread'],
        [{ spread: 'PT2H', hours: { from: '08:00', to: '09:00', weekdays: ['mon'] }, time_zone: own }, 'timing.spread'],
        [{ past: 'soon' }, 'timing.past'],
      ];
      for (const [timing, field] of cases) {
        const refused = await refusal('/v1/campaigns', { name: 'Autumn', channel: 'email', timing });
        expect(refused.field, JSON.stringify(timing)).to.equal(field);
      }
      const timing = { hours, time_zone: own };
      const created = await post('/v1/campaigns', { name: 'Autumn', channel: 'email', timing }, 201);
      expect(created.timing).to.deep.equal({
        ...{ local_time: null, time_zone: own, past: 'next_day', spread: null },
        hours: { ...hours, weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], otherwise: 'wait' },
      });
    });

    it('needs the scopes of what the audience names', async () => {
      const list = await campaigns.list();
      const { key } = await service.newKey({ storeId: campaigns.shop.storeId, scopes: ALL as never });
      const body = { name: 'Autumn', channel: 'email', audience: { any: [{ list }] } };
      const refused = await client.as(key).post<any>('/v1/campaigns', body, { expect: 403 });
      expect(refused.body.error.message).to.include('audiences:read');
      await client.as(key).post('/v1/campaigns', { name: 'Autumn', channel: 'email' }, { expect: 201 });
    });
  });

  it('GET /v1/campaigns lists them, the newest first, by status and in pages', async () => {
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) ids.unshift((await post('/v1/campaigns', { name, channel: 'email' }, 201)).id);
    await campaigns.shop.query(`update campaign set status = 'sent' where id = '${ids[1]}'`);
    const list = async (query: string) => (await client.get<any>(`/v1/campaigns${query}`, { expect: 200 })).body;
    const idsOf = (page: any) => page.campaigns.map(({ id }: { id: string }) => id);
    expect(idsOf(await list(''))).to.deep.equal(ids);
    expect(idsOf(await list('?status=draft'))).to.deep.equal([ids[0], ids[2]]);
    const first = await list('?limit=2');
    expect(idsOf(await list(`?limit=2&cursor=${first.next_cursor}`))).to.deep.equal([ids[2]]);
  });

  it('GET /v1/campaigns/{id} finds those of the store alone', async () => {
    const id = await campaigns.draft(await campaigns.list());
    const other = (await Campaigns.open(service)).shop.client;
    await other.get(`/v1/campaigns/${id}`, { expect: 404 });
    await client.get('/v1/campaigns/x', { expect: 404 });
  });

  describe('PUT /v1/campaigns/{id}', () => {
    const draft = {
      ...{ name: 'Autumn', channel: 'email', template_id: null, sender_id: null, audience: null, timing: null },
      ...{ subject: 'Moved', test: null, hold_out_percent: 0 },
    };

    it('replaces the draft once for each revision', async () => {
      const id = await campaigns.draft(await campaigns.list());
      const changed = await campaigns.put(id, '', { revision: 1, ...draft });
      expect(changed).to.deep.include({ ...draft, revision: 2 });
      expect(await campaigns.put(id, '', { revision: 1, ...draft })).to.deep.equal(changed);
      const stale = await campaigns.put(id, '', { revision: 1, ...draft, name: 'Winter' }, 400);
      expect(stale.error.field).to.equal('revision');
    });

    it('refuses to change what is scheduled', async () => {
      const id = await campaigns.draft(await campaigns.list());
      await campaigns.schedule(id, LATER);
      const { error } = await campaigns.put(id, '', { revision: 1, ...draft }, 400);
      expect(error.message).to.include('is scheduled');
    });
  });

  it('DELETE /v1/campaigns/{id} deletes drafts and those that are over, and no others', async () => {
    const id = await campaigns.draft(await campaigns.list());
    const remove = (expected: number) =>
      client.send<any>('DELETE', `/v1/campaigns/${id}`, undefined, { expect: expected });
    await campaigns.schedule(id, LATER);
    expect((await remove(400)).body.error.message).to.include('is scheduled');
    await campaigns.setStatus(id, 'cancelled');
    const deleted = await remove(200);
    expect(deleted.body.status).to.equal('cancelled');
    expect((await remove(200)).body).to.deep.equal(deleted.body);
    await client.get(`/v1/campaigns/${id}`, { expect: 404 });
  });

  it('DELETE /v1/campaigns/{id} waits for the messages of what is cancelled', async () => {
    const id = await campaigns.draft(await campaigns.list());
    await campaigns.schedule(id, LATER);
    await campaigns.shop.query(`
      update campaign set status = 'sending', started_at = now(), prepared_at = now() where id = '${id}'`);
    await campaigns.setStatus(id, 'paused');
    await campaigns.setStatus(id, 'cancelled');
    const remove = (expected: number) =>
      client.send<any>('DELETE', `/v1/campaigns/${id}`, undefined, { expect: expected });
    expect((await remove(400)).body.error.message).to.include('still being cancelled');
    // Whoever cancels them has seen that none is left.
    await campaigns.shop.query(`update campaign set due_at = null where id = '${id}'`);
    await remove(200);
  });

  it('POST /v1/campaigns/{id}/copy makes a draft of whatever there is', async () => {
    const id = await campaigns.draft(await campaigns.list(), { name: 'ä'.repeat(100) });
    await campaigns.schedule(id, LATER);
    const copy = await post(`/v1/campaigns/${id}/copy`, undefined as never, 201);
    const { audience, template_id } = await campaigns.get(id);
    expect(copy).to.deep.include({ status: 'draft', revision: 1, audience, template_id, template_version: null });
    expect(copy.name).to.equal(`${'ä'.repeat(93)} (copy)`);
    const once = () =>
      client.send<any>('POST', `/v1/campaigns/${id}/copy`, undefined, {
        headers: { 'Idempotency-Key': 'one' },
        expect: 201,
      });
    expect((await once()).body).to.deep.equal((await once()).body);
  });

  describe('GET /v1/campaigns/{id}/estimate', () => {
    const estimate = async (id: string, expected = 200) =>
      (await client.get<any>(`/v1/campaigns/${id}/estimate`, { expect: expected })).body;

    it('counts who would be sent it, and who not and why', async () => {
      const everybody = addresses(6);
      const list = await campaigns.list(everybody);
      await campaigns.shop.customer('none@shop.example', 'none');
      await campaigns.join(list, ['none@shop.example']);
      const { id: gone } = await post('/v1/lists', { name: 'Gone' }, 201);
      await campaigns.join(gone, everybody.slice(0, 1));
      await campaigns.shop.customer(everybody[1] as string, 'unsubscribed');
      const address = { addresses: [everybody[2]] };
      await post('/v1/suppressed-addresses', address, 200);
      const phone = { identifiers: { phone: '+442079460958' } };
      const { id: profile_id } = await post('/v1/profiles/upsert', phone, 201);
      await post(`/v1/lists/${list}/members`, { members: [{ profile_id }] }, 200);
      const id = await campaigns.draft(list, { audience: { any: [{ list }, { list: gone }], not: [{ list: gone }] } });
      expect(await estimate(id)).to.deep.equal({
        audience_count: 8,
        included_count: 3,
        excluded: [
          { reason: 'address_suppressed', count: 1 },
          { reason: 'excluded', count: 1 },
          { reason: 'no_address', count: 1 },
          { reason: 'no_consent', count: 1 },
          { reason: 'unsubscribed', count: 1 },
        ],
        evaluated_count: 8,
        is_exact: true,
      });
    });

    it('says what keeps an audience from being told', async () => {
      const { id } = await post('/v1/campaigns', { name: 'Autumn', channel: 'email' }, 201);
      expect((await estimate(id, 400)).error.field).to.equal('audience');
      const segment = await post('/v1/segments', { name: 'Known', definition: { identifier: 'email' } }, 201);
      await campaigns.shop.query(`update segment set failure = 'too_slow' where id = '${segment.id}'`);
      const failed = await campaigns.draft(await campaigns.list(), { audience: { any: [{ segment: segment.id }] } });
      expect((await estimate(failed, 400)).error.message).to.include('a segment that has failed');
      const list = await campaigns.list();
      const deleted = await campaigns.draft(list);
      await client.send('DELETE', `/v1/lists/${list}`, undefined, { expect: 200 });
      expect((await estimate(deleted, 400)).error.field).to.equal('audience.any[0].list');
    });
  });

  describe('POST /v1/campaigns/{id}/check', () => {
    const check = async (id: string) => await post(`/v1/campaigns/${id}/check`, undefined as never, 200);

    it('makes messages by what sends them, and says how long sending takes', async () => {
      const list = await campaigns.list(addresses(3));
      const sender_id = await campaigns.shop.relay(9, { max_per_second: 1 });
      const id = await campaigns.draft(list, { sender_id });
      const found = await check(id);
      expect(found).to.deep.include({
        is_ready: true,
        problems: [],
        rendered_count: 3,
        segments_per_message: null,
        sending_seconds: 3,
      });
      expect(found.estimate.included_count).to.equal(3);
      expect(
        await campaigns.shop.query(`select from message where store_id = '${campaigns.shop.storeId}'`),
      ).to.have.length(0);
    });

    it('says how long it takes with its times, and what is over', async () => {
      const list = await campaigns.list(addresses(3));
      const seconds = async (timing: object) => (await check(await campaigns.draft(list, { timing }))).sending_seconds;
      expect(await seconds({ spread: 'PT2H' })).to.equal(7_200);
      const time_zone = { attribute: 'time_zone', default: 'Europe/Berlin' };
      // From where clocks are furthest ahead to Berlin, where all of them are.
      expect(await seconds({ local_time: '2035-01-01T09:00', time_zone })).to.equal(13 * 3_600);
      expect(await seconds({ local_time: '2035-01-01T09:00', time_zone, spread: 'PT1H' })).to.equal(14 * 3_600);
      const evening = { from: '20:00', to: '21:00' };
      const timing = { local_time: '2035-01-01T09:00', time_zone: { default: 'UTC' }, hours: evening };
      // They have to be sent then, which takes another second.
      expect(await seconds(timing)).to.equal(11 * 3_600 + 1);
      const over = await check(await campaigns.draft(list, { timing: { local_time: '2026-01-01T09:00', time_zone } }));
      expect(over).to.deep.include({ is_ready: false, sending_seconds: null });
      const [{ code, field }] = over.problems;
      expect([code, field]).to.deep.equal(['timing', 'timing.local_time']);
    });

    it('makes none to customers of whom more is stored than can be read beside requests', async () => {
      const [some, large] = [addresses(2), 'large@shop.example'];
      const list = await campaigns.list([...some, large]);
      const attributes = { note: 'much '.repeat(20_000) };
      await client.post('/v1/profiles/upsert', { identifiers: { email: large }, attributes }, { expect: 200 });
      const found = await check(await campaigns.draft(list));
      expect(found).to.deep.include({ is_ready: true, problems: [], rendered_count: 2 });
      expect(found.estimate.included_count).to.equal(3);
    });

    it('names all that is missing, and messages that could not be made', async () => {
      await saveMessageSettings(client, {}, 200);
      const list = await campaigns.list(addresses(2));
      const bare = await post('/v1/campaigns', { name: 'Autumn', channel: 'email' }, 201);
      const codes = (found: any) => found.problems.map(({ code }: { code: string }) => code);
      const nothing = await check(bare.id);
      expect(nothing).to.include({ is_ready: false, rendered_count: 0, estimate: null, sending_seconds: null });
      expect(codes(nothing)).to.have.members(['template', 'audience', 'no_postal_address']);
      const template_id = await campaigns.shop.template({ required: ['profile.attributes.size'] });
      const found = await check(await campaigns.draft(list, { template_id }));
      expect(codes(found)).to.deep.equal(['no_postal_address', 'not_rendered']);
      expect(found.problems[1].message).to.include('2 of 2').and.to.include('missing_value');
    });
  });

  describe('POST /v1/campaigns/{id}/schedule', () => {
    it('keeps the version and the sender, and answers a repetition with the same', async () => {
      const id = await campaigns.draft(await campaigns.list());
      const scheduled = await campaigns.schedule(id, LATER);
      expect(scheduled).to.include({
        status: 'scheduled',
        scheduled_at: LATER,
        template_version: 1,
        class: 'marketing',
      });
      expect(scheduled.sender_id).to.be.a('string');
      expect(await campaigns.schedule(id, LATER)).to.deep.equal(scheduled);
      const other = { revision: 1, at: '2035-01-02T08:00:00Z' };
      expect((await refusal(`/v1/campaigns/${id}/schedule`, other)).message).to.include('is scheduled');
    });

    it('refuses what is not there, the past, and a draft that somebody else has changed', async () => {
      const list = await campaigns.list();
      const id = await campaigns.draft(list);
      const schedule = (body: object, of = id) => refusal(`/v1/campaigns/${of}/schedule`, body);
      expect((await schedule({ revision: 2 })).field).to.equal('revision');
      expect((await schedule({ revision: 1, at: '2026-01-01T08:00:00Z' })).field).to.equal('at');
      expect((await schedule({ revision: 1, at: '2099-01-01T08:00:00Z' })).field).to.equal('at');
      expect((await schedule({ revision: 1, at: '2035-01-01T25:00:00Z' })).field).to.equal('at');
      const archived = await campaigns.shop.template();
      await post(`/v1/templates/${archived}/archive`, undefined as never, 200);
      const texts = await campaigns.shop.template({ kind: 'sms', subject: '', body: 'Hello' });
      const unchecked = (await post('/v1/senders', { ...SENDER, name: 'A' }, 201)).id;
      for (const [more, field] of [
        [{ template_id: null }, 'template_id'],
        [{ template_id: archived }, 'template_id'],
        [{ template_id: texts }, 'template_id'],
        [{ sender_id: unchecked }, 'sender_id'],
        [{ audience: null }, 'audience'],
      ] as const) {
        expect((await schedule({ revision: 1 }, await campaigns.draft(list, more))).field).to.equal(field);
      }
      const unsent = await campaigns.draft(list, { audience: { any: [{ campaign: { id, who: 'failed' } }] } });
      expect(await schedule({ revision: 1 }, unsent)).to.deep.include({ field: 'audience.any[0].campaign' });
      await saveMessageSettings(client, {}, 200);
      expect((await schedule({ revision: 1 })).message).to.include('postal address');
    });

    it('by the clocks of recipients takes no other time, and none that is over everywhere', async () => {
      const list = await campaigns.list();
      const at = async (local_time: string) =>
        await campaigns.draft(list, { timing: { local_time, time_zone: { attribute: 'time_zone', default: 'UTC' } } });
      const schedule = (of: string, body: object) => refusal(`/v1/campaigns/${of}/schedule`, { revision: 1, ...body });
      expect((await schedule(await at('2026-01-01T09:00'), {})).field).to.equal('timing.local_time');
      expect((await schedule(await at('2099-01-01T09:00'), {})).field).to.equal('timing.local_time');
      const id = await at('2035-01-01T09:00');
      expect((await schedule(id, { at: LATER })).field).to.equal('at');
      const scheduled = await campaigns.schedule(id);
      expect(scheduled).to.include({ status: 'scheduled', scheduled_at: '2034-12-31T19:00:00.000Z' });
      expect(await campaigns.schedule(id)).to.deep.equal(scheduled);
      expect(await campaigns.setStatus(id, 'draft')).to.deep.include({ timing: scheduled.timing, scheduled_at: null });
    });

    it('keeps the lists of its audience from being deleted', async () => {
      const list = await campaigns.list();
      const id = await campaigns.draft(list);
      await campaigns.schedule(id, LATER);
      const refused = await client.send<any>('DELETE', `/v1/lists/${list}`, undefined, { expect: 400 });
      expect(refused.body.error.message).to.include(id);
      await campaigns.setStatus(id, 'draft');
      await client.send('DELETE', `/v1/lists/${list}`, undefined, { expect: 200 });
    });
  });

  it('PUT /v1/campaigns/{id}/status takes back and cancels, and says what is not possible', async () => {
    const id = await campaigns.draft(await campaigns.list());
    const refused = async (status: string) => (await campaigns.put(id, '/status', { status }, 400)).error;
    for (const status of ['sending', 'paused', 'cancelled']) expect((await refused(status)).field).to.equal('status');
    await campaigns.schedule(id, LATER);
    expect(await refused('paused'))
      .to.have.property('message')
      .that.includes('has not begun');
    const draft = await campaigns.setStatus(id, 'draft');
    expect(draft).to.include({ status: 'draft', scheduled_at: null, template_version: null });
    await campaigns.schedule(id, LATER);
    const cancelled = await campaigns.setStatus(id, 'cancelled');
    expect(cancelled.status).to.equal('cancelled');
    expect(await campaigns.setStatus(id, 'cancelled')).to.deep.equal(cancelled);
    expect((await refused('draft')).field).to.equal('status');
  });

  describe('Of one that has begun', () => {
    let begins = 0;

    /** Its messages, of which some have ended in each way. */
    async function begun(): Promise<string> {
      const id = await campaigns.draft(await campaigns.list(addresses(1)));
      await campaigns.schedule(id, LATER);
      const at = new Date(Date.UTC(2026, 10, 20, 8) + begins++);
      const hex = at.getTime().toString(16).padStart(12, '0');
      await campaigns.shop.query(`
        update campaign set status = 'sending', started_at = '${at.toISOString()}', prepared_at = now() where id = '${id}';
        insert into message (store_id, id, profile_id, sender_id, template_id, template_version, source, source_id, channel,
          class, status, reason, created_at, opened_at, clicked_at, machine_opens)
        select c.store_id, ('${hex}7' || lpad(n::text, 3, '0') || '8' || repeat('0', 15))::uuid, p.id, c.sender_id,
          c.template_id, 1, 'campaign', c.id, 'email', 'marketing', m.status, m.reason, now(), opened, opened, machines
        from campaign c, profile p, (values (1, 'sent', null, now(), 0), (2, 'sent', null, null, 1),
          (3, 'skipped', 'no_consent', null, 0), (4, 'unknown', 'undecided', null, 0), (5, 'unknown', 'undecided', null, 0)
        ) as m (n, status, reason, opened, machines)
        where c.id = '${id}' and p.store_id = c.store_id`);
      return id;
    }

    it('GET /v1/campaigns/{id}/stats counts each status and reason, and machines apart', async () => {
      const { counted_at: at, ...stats } = await campaigns.stats(await begun());
      expect(at).to.be.a('string');
      expect(stats).to.deep.equal({
        recipient_count: 5,
        without_time_zone_count: 0,
        unknown_time_zone_count: 0,
        messages: [
          { status: 'sent', reason: null, count: 2 },
          { status: 'unknown', reason: 'undecided', count: 2 },
          { status: 'skipped', reason: 'no_consent', count: 1 },
        ],
        opened_count: 1,
        clicked_count: 1,
        machine_opened_count: 1,
        machine_clicked_count: 0,
        hold_out_count: 0,
        hold_out: null,
        variants: [],
        comparison: null,
        order_count: 0,
        revenue: [],
        domains: [],
        links: [],
        why_not: null,
      });
    });

    it('GET /v1/campaigns/{id}/messages lists its own, by status and in pages', async () => {
      const id = await begun();
      const list = async (query: string) =>
        (await client.get<any>(`/v1/campaigns/${id}/messages${query}`, { expect: 200 })).body;
      const [skipped] = (await list('?status=skipped')).messages;
      expect(skipped).to.include({ source: 'campaign', source_id: id, reason: 'no_consent' });
      const first = await list('?limit=3');
      const second = await list(`?limit=3&cursor=${first.next_cursor}`);
      expect(new Set([...first.messages, ...second.messages].map((message) => message.id)).size).to.equal(5);
      expect(second.next_cursor).to.equal(null);
      const { id: draft } = await post('/v1/campaigns', { name: 'Autumn', channel: 'email' }, 201);
      expect((await client.get<any>(`/v1/campaigns/${draft}/messages`, { expect: 200 })).body.messages).to.have.length(
        0,
      );
    });

    it('POST /v1/campaigns/{id}/resolve decides about all that is unknown', async () => {
      const id = await begun();
      const resolve = (unknown: string, expected: number) => post(`/v1/campaigns/${id}/resolve`, { unknown }, expected);
      expect(await resolve('leave', 200)).to.deep.equal({ resolved_count: 2, is_more: false });
      expect(await campaigns.counts(id)).to.deep.equal({ sent: 4, 'skipped: no_consent': 1 });
      const other = await begun();
      expect((await post(`/v1/campaigns/${other}/resolve`, { unknown: 'resend' }, 200)).resolved_count).to.equal(2);
      expect(await campaigns.counts(other)).to.deep.equal({ sent: 2, waiting: 2, 'skipped: no_consent': 1 });
      await campaigns.setStatus(id, 'cancelled');
      expect((await resolve('resend', 400)).error.message).to.include('cancelled');
    });
  });
});

const SENDER = {
  kind: 'smtp',
  from_email: 'hello@shop.example',
  settings: { host: 'smtp.relay.example', port: 587, security: 'starttls' },
};
