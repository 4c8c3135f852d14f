import { expect } from 'chai';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { addresses, Campaigns, zoneAtNoon } from './support/campaigns.ts';

describe('A campaign with times', () => {
  let service: TestService;
  let campaigns: Campaigns;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=100000,partner=100000' });
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
  });
  after(() => service.stop());

  /** A list of customers by what they have for a time zone; their addresses begin with a number. */
  async function listOf(zones: readonly unknown[]): Promise<string> {
    const list = await campaigns.list(addresses(zones.length));
    for (const [i, time_zone] of zones.entries()) {
      const customer = { identifiers: { email: addresses(zones.length)[i] }, attributes: { time_zone } };
      await campaigns.shop.client.post('/v1/profiles/upsert', customer, { expect: 200 });
    }
    return list;
  }

  /** Of the messages of a campaign, by the address of the customer, in the order of the list. */
  async function rows(id: string): Promise<{ status: string; due: number | null }[]> {
    return await campaigns.shop.query(`
      select m.status, (extract(epoch from m.due_at) * 1000)::float8 as due from message m join profile p on p.store_id = m.store_id and p.id = m.profile_id
      where m.source_id = '${id}' order by p.email`);
  }

  const dueOf = async (id: string) =>
    (await rows(id)).map(({ due }) => (due === null ? null : new Date(due).toISOString()));

  /** Has a campaign that is scheduled begin, as if it were another time. */
  async function beginAt(id: string, scheduledAt: string): Promise<void> {
    await campaigns.shop.query(`
      update campaign set status = 'preparing', scheduled_at = '${scheduledAt}', started_at = '${scheduledAt}', due_at = now()
      where id = '${id}'`);
    await until(async () => (await campaigns.get(id)).prepared_at !== null, 'all recipients are found');
  }

  async function work(): Promise<void> {
    await campaigns.shop.query(`update sender set resting_until = null where store_id = '${campaigns.shop.storeId}'`);
  }

  it('goes by the clock of each recipient; whose zone is none gets the default, and is counted', async () => {
    await campaigns.rest();
    const list = await listOf(['Asia/Tokyo', 'Mars/Olympus', null, 'America/New_York', { is: 'none' }]);
    const time_zone = { attribute: 'time_zone', default: 'Europe/Berlin' };
    const id = await campaigns.draft(list, { timing: { local_time: '2034-12-01T09:00', time_zone } });
    const scheduled = await campaigns.schedule(id);
    // Where clocks are furthest ahead, it is nine.
    expect(scheduled.scheduled_at).to.equal('2034-11-30T19:00:00.000Z');
    await beginAt(id, scheduled.scheduled_at);
    const berlin = '2034-12-01T08:00:00.000Z';
    expect(await dueOf(id)).to.deep.equal([
      ...['2034-12-01T00:00:00.000Z', berlin, berlin, '2034-12-01T14:00:00.000Z', berlin],
    ]);
    expect(await campaigns.stats(id)).to.include({
      ...{ recipient_count: 5, without_time_zone_count: 1, unknown_time_zone_count: 2 },
    });
  });

  it('leaves out whose time is over, where somebody wants it so, and says why', async () => {
    await campaigns.rest();
    const list = await listOf(['Asia/Tokyo', 'America/New_York']);
    const time_zone = { attribute: 'time_zone', default: 'UTC' };
    const timing = { local_time: '2034-12-01T09:00', time_zone, past: 'skip' };
    const id = await campaigns.draft(list, { timing });
    await campaigns.schedule(id);
    await beginAt(id, '2034-12-01T08:00:00.000Z');
    expect(await campaigns.counts(id)).to.deep.equal({ 'skipped: time_passed': 1, waiting: 1 });
    const path = `/v1/campaigns/${id}/messages?status=skipped`;
    const [skipped] = (await campaigns.shop.client.get<any>(path, { expect: 200 })).body.messages;
    expect(skipped.why_not.cause).to.equal('time_passed');
    const among = async (filter: string, expect = 200) =>
      (await campaigns.shop.client.get<any>(`/v1/campaigns/${id}/messages?${filter}`, { expect })).body.messages;
    expect((await among('reason=time_passed')).map((one: any) => one.id)).to.deep.equal([skipped.id]);
    expect(await among('status=skipped&reason=unsubscribed')).to.deep.equal([]);
    await among('reason=%00', 400);
  });

  it('waits for its hours, also with what became due outside them', async () => {
    const zone = zoneAtNoon();
    const list = await listOf([zone, zone]);
    const time_zone = { attribute: 'time_zone', default: zone };
    const hours = { from: '20:00', to: '21:00' };
    const id = await campaigns.draft(list, { timing: { time_zone, hours } });
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sending');
    const due = await dueOf(id);
    for (const at of due) {
      const local = Temporal.Instant.from(at as string).toZonedDateTimeISO(zone);
      expect(local.toPlainTime().toString({ smallestUnit: 'minute' })).to.equal('20:00');
    }
    // As if it had been kept from being sent in time.
    await campaigns.shop.query(`update message set due_at = now() where source_id = '${id}'`);
    await until(async () => (await dueOf(id)).join() === due.join(), 'they wait for the next hours');
    expect(await campaigns.counts(id)).to.deep.equal({ waiting: 2 });
    // It was open before, and closes.
    const open = { from: '06:00', to: '18:00', otherwise: 'skip' };
    const other = await campaigns.draft(list, { timing: { time_zone, hours: open } });
    await campaigns.rest();
    await campaigns.schedule(other);
    await campaigns.reaches(other, 'sending');
    expect(await campaigns.counts(other)).to.deep.equal({ waiting: 2 });
    await campaigns.shop.query(`
      update campaign set timing = jsonb_set(timing::jsonb, '{hours,to}', '"07:00"')::json where id = '${other}'`);
    await work();
    await campaigns.reaches(other, 'sent');
    expect(await campaigns.counts(other)).to.deep.equal({ 'skipped: outside_hours': 2 });
  });

  it('is sent in its hours', async () => {
    const zone = zoneAtNoon();
    const list = await listOf([zone]);
    const timing = { time_zone: { attribute: 'time_zone', default: zone }, hours: { from: '06:00', to: '18:00' } };
    const id = await campaigns.draft(list, { timing });
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
    expect(await campaigns.counts(id)).to.deep.equal({ sent: 1 });
  });

  it('keeps the times of what goes later, as it is paused and goes on', async () => {
    await campaigns.rest();
    const list = await campaigns.list(addresses(40));
    const id = await campaigns.draft(list, { timing: { spread: 'PT24H' } });
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sending');
    const before = (await rows(id)).map(({ due }) => due);
    expect(new Set(before).size).to.equal(40);
    // Some are due already.
    await campaigns.shop.query(`
      update message set due_at = now() where id in (select id from message where source_id = '${id}' order by due_at limit 5)`);
    const planned = await dueOf(id);
    await campaigns.setStatus(id, 'paused');
    const parked = () => campaigns.shop.query(`select from message where source_id = '${id}' and due_at = 'infinity'`);
    await until(async () => (await parked()).length >= 5, 'what is due is put aside');
    await campaigns.setStatus(id, 'sending');
    await until(async () => (await parked()).length === 0, 'it goes on');
    const later = await dueOf(id);
    const soon = Date.now() + 60_000;
    const kept = planned.map((at, i) => [at, later[i]]).filter(([at]) => Date.parse(at as string) > soon);
    expect(kept.length).to.be.greaterThan(30);
    for (const [at, now] of kept) expect(now).to.equal(at);
    await work();
    await until(async () => ((await campaigns.counts(id)).sent ?? 0) >= 5, 'what is due is sent');
    expect((await campaigns.counts(id)).waiting).to.be.at.least(kept.length);
  });

  it('that is cancelled ends also what was to go later', async () => {
    const id = await campaigns.draft(await campaigns.list(addresses(3)), { timing: { spread: 'PT24H' } });
    await campaigns.rest();
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sending');
    await campaigns.setStatus(id, 'cancelled');
    await until(async () => (await campaigns.counts(id)).cancelled === 3, 'all have ended');
  });

  describe('of marketing by text message', () => {
    const DAYTIME = {
      ...{ from: '08:00', to: '21:00', otherwise: 'wait' },
      weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    };

    /** A draft to customers by what they have for a time zone, in the order of their numbers. */
    async function texts(zones: readonly (string | null)[], more: object = {}, template: object = {}): Promise<string> {
      const { shop } = campaigns;
      const { id: list } = (await shop.client.post<any>('/v1/lists', { name: 'Texts' }, { expect: 201 })).body;
      for (const [i, time_zone] of zones.entries()) {
        const phone = `+44207946011${i}`;
        await shop.customer(phone);
        const customer = { identifiers: { phone }, attributes: { time_zone } };
        await shop.client.post('/v1/profiles/upsert', customer, { expect: 200 });
        await shop.client.post(`/v1/lists/${list}/members`, { members: [{ phone }] }, { expect: 200 });
      }
      const template_id = await shop.template({ kind: 'sms', subject: '', body: 'Sale. STOP to end.', ...template });
      const sender_id = await shop.twilio();
      return await campaigns.draft(list, { channel: 'sms', template_id, sender_id, ...more });
    }

    const zoneOfStore = async (time_zone: string) =>
      await campaigns.shop.client.send('PATCH', '/v1/store', JSON.stringify({ time_zone }), {
        headers: { 'Content-Type': 'application/json' },
        expect: 200,
      });

    it('is not sent at night, by the clock of each recipient or of the store', async () => {
      await zoneOfStore('Asia/Tokyo');
      const id = await texts(['Europe/Berlin', 'America/New_York', null]);
      await campaigns.rest();
      const { timing } = await campaigns.schedule(id);
      expect(timing).to.deep.equal({
        ...{ local_time: null, past: 'next_day', spread: null, hours: DAYTIME },
        time_zone: { attribute: 'time_zone', default: 'Asia/Tokyo' },
      });
      await beginAt(id, '2034-12-01T03:00:00.000Z');
      const due = await campaigns.shop.query(`
        select (extract(epoch from m.due_at) * 1000)::float8 as due
        from message m join profile p on p.store_id = m.store_id and p.id = m.profile_id
        where m.source_id = '${id}' order by p.phone`);
      expect(due.map((row) => new Date(row.due).toISOString())).to.deep.equal([
        ...['2034-12-01T07:00:00.000Z', '2034-12-01T13:00:00.000Z', '2034-12-01T03:00:00.000Z'],
      ]);
    });

    it('waits for the morning, which its check counts', async () => {
      // It is one or two at night there: at least five hours are left.
      const ahead = (25 - new Date().getUTCHours()) % 24;
      await zoneOfStore(ahead > 14 ? `Etc/GMT+${24 - ahead}` : ahead === 0 ? 'Etc/GMT' : `Etc/GMT-${ahead}`);
      const id = await texts([null]);
      const path = `/v1/campaigns/${id}/check`;
      const check = (await campaigns.shop.client.post<any>(path, undefined, { expect: 200 })).body;
      expect(check.segments_per_message).to.deep.equal({ average: 1, most: 1 });
      expect(check.sending_seconds).to.be.within(5 * 3600, 8 * 3600);
      await campaigns.schedule(id);
      await campaigns.reaches(id, 'sending');
      expect(await campaigns.counts(id)).to.deep.equal({ waiting: 1 });
    });

    it('keeps the hours and the zone that it names, and what else it says of its times', async () => {
      const time_zone = { attribute: 'home', default: 'Europe/Berlin' };
      const hours = { ...DAYTIME, from: '00:00', to: '23:59', otherwise: 'skip' };
      const own = await texts([], { timing: { time_zone, hours } });
      expect((await campaigns.schedule(own, '2035-01-01T08:00:00Z')).timing).to.deep.include({ time_zone, hours });
      const local = await texts([], { timing: { time_zone, local_time: '2035-01-01T09:00', spread: 'PT24H' } });
      expect((await campaigns.schedule(local)).timing).to.deep.include({
        ...{ local_time: '2035-01-01T09:00', spread: 'PT24H', time_zone, hours: DAYTIME },
      });
    });

    it('or of what is no marketing, or no text message, has no such hours', async () => {
      const receipt = await texts([], {}, { class: 'transactional' });
      expect((await campaigns.schedule(receipt, '2035-01-01T08:00:00Z')).timing).to.equal(null);
      const mail = await campaigns.draft(await campaigns.list());
      expect((await campaigns.schedule(mail, '2035-01-01T08:00:00Z')).timing).to.equal(null);
    });
  });

  it('keeps no other from beginning while it waits', async () => {
    const list = await campaigns.list(addresses(1));
    const zone = zoneAtNoon();
    const timing = { time_zone: { default: zone }, hours: { from: '20:00', to: '21:00' } };
    for (let i = 0; i < 6; i += 1) {
      const id = await campaigns.draft(list, { timing });
      await campaigns.schedule(id);
      await campaigns.reaches(id, 'sending');
    }
    const other = await campaigns.draft(list);
    await campaigns.schedule(other);
    await campaigns.reaches(other, 'sent');
  });
});
