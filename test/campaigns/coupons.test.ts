import { expect } from 'chai';
import { createUndividedDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { addresses, Campaigns } from './support/campaigns.ts';

const ENV = { PUBLIC_URL: 'https://mail.shop.example', RATE_LIMIT_TIERS: 'standard=100000,partner=100000' };

describe('A campaign that gives out coupon codes', () => {
  let service: TestService;
  let campaigns: Campaigns;
  let pool: string;
  let template_id: string;

  before(async () => {
    service = await TestService.start(ENV);
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
    ({ pool, template_id } = await prepare(campaigns));
  });
  after(() => service.stop());

  const add = (...codes: string[]) => addCodes(campaigns, pool, codes);
  const draft = async (count: number, more: object = {}) =>
    await campaigns.draft(await campaigns.list(addresses(count)), { template_id, coupon_pool_id: pool, ...more });
  const refused = async (id: string): Promise<[string, string]> => {
    const { revision } = await campaigns.get(id);
    const path = `/v1/campaigns/${id}/schedule`;
    const { error } = (await campaigns.shop.client.post<any>(path, { revision }, { expect: 400 })).body;
    return [error.field, error.message];
  };

  it('gives each recipient one, and shows it', async () => {
    await add('A', 'B', 'C', 'D');
    const id = await draft(3);
    expect((await campaigns.get(id)).coupon_pool_id).to.equal(pool);
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
    expect(await campaigns.counts(id)).to.deep.equal({ sent: 3 });
    expect(await shown(campaigns, id)).to.deep.equal(await held(campaigns, pool));
  });

  it('gives one where only the subject shows it, and is refused without a pool', async () => {
    await add('A', 'B', 'C');
    const list = await campaigns.list(addresses(2));
    const subject = 'Your code {{ coupon.code }}!';
    expect((await refused(await campaigns.draft(list, { subject })))[0]).to.equal('coupon_pool_id');
    const id = await campaigns.draft(list, { subject, coupon_pool_id: pool });
    await campaigns.schedule(id);
    await campaigns.reaches(id, 'sent');
    expect(await held(campaigns, pool)).to.have.lengthOf(2);
  });

  it('keeps its pool in an update that leaves it out', async () => {
    const id = await draft(1);
    const { revision, name, channel, subject, sender_id, audience, timing, test, hold_out_percent } =
      await campaigns.get(id);
    const change = {
      revision,
      name,
      channel,
      template_id,
      subject,
      sender_id,
      audience,
      timing,
      test,
      hold_out_percent,
    };
    const kept = await campaigns.put(id, '', change);
    expect(kept.coupon_pool_id).to.equal(pool);
    const removed = await campaigns.put(id, '', { ...change, revision: kept.revision, coupon_pool_id: null });
    expect(removed.coupon_pool_id).to.equal(null);
  });

  it('gives none to whoever is not sent it, and the same to whoever has one', async () => {
    await add('A', 'B', 'C', 'D');
    const first = await draft(2);
    await campaigns.shop.customer(addresses(1)[0] as string, 'unsubscribed');
    await campaigns.schedule(first);
    await campaigns.reaches(first, 'sent');
    expect(await campaigns.counts(first)).to.deep.equal({ sent: 1, 'skipped: unsubscribed': 1 });
    const second = await draft(2);
    await campaigns.schedule(second);
    await campaigns.reaches(second, 'sent');
    const before = await shown(campaigns, first);
    expect(await shown(campaigns, second)).to.deep.include.members(before);
    expect(await held(campaigns, pool)).to.deep.equal(await shown(campaigns, second));
  });

  it('pauses where there is none left, and goes on once there are', async () => {
    await add('A', 'B', 'C');
    const id = await draft(5);
    await campaigns.schedule(id);
    expect((await campaigns.reaches(id, 'paused')).reason).to.equal('coupon_pool_empty');
    await until(async () => (await campaigns.counts(id)).sent === 3, 'those with a code are sent');
    expect(await campaigns.counts(id)).to.deep.equal({ sent: 3, waiting: 2 });
    const path = `/v1/coupon-pools/${pool}`;
    const { error } = (await campaigns.shop.client.send<any>('DELETE', path, undefined, { expect: 400 })).body;
    expect(error.message).to.include(id);
    await add('D', 'E');
    await campaigns.setStatus(id, 'sending');
    await campaigns.reaches(id, 'sent');
    expect(await campaigns.counts(id)).to.deep.equal({ sent: 5 });
    expect(await shown(campaigns, id)).to.deep.equal(await held(campaigns, pool));
  });

  it('warns of a pool with fewer codes than recipients', async () => {
    await add('A');
    const id = await draft(3);
    const check = (await campaigns.shop.client.post<any>(`/v1/campaigns/${id}/check`, {}, { expect: 200 })).body;
    expect(check.is_ready).to.equal(true);
    expect(check.problems.map(({ code, field }: any) => [code, field])).to.deep.equal([
      ['few_coupon_codes', 'coupon_pool_id'],
    ]);
    await add('B', 'C');
    const again = (await campaigns.shop.client.post<any>(`/v1/campaigns/${id}/check`, {}, { expect: 200 })).body;
    expect(again.problems).to.deep.equal([]);
  });

  it('is refused without a pool, with one that has expired, or of another store, and by who may not give out codes', async () => {
    const id = await draft(1, { coupon_pool_id: null });
    expect(await refused(id)).to.deep.equal([
      ...['coupon_pool_id', 'coupon_pool_id must be chosen before: the template shows a coupon code'],
    ]);
    const late = await draft(1);
    await campaigns.shop.query(`update coupon_pool set expires_at = now() - interval '1 second' where id = '${pool}'`);
    expect((await refused(late))[0]).to.equal('coupon_pool_id');
    const { client, storeId } = campaigns.shop;
    const body = { name: 'Draft', channel: 'email', coupon_pool_id: pool };
    const other = await Campaigns.open(service);
    const { error } = (await other.shop.client.post<any>('/v1/campaigns', body, { expect: 400 })).body;
    expect(error.field).to.equal('coupon_pool_id');
    const { key } = await service.newKey({ storeId, scopes: ['messages:read', 'messages:write'] });
    await client.as(key).post('/v1/campaigns', body, { expect: 403 });
  });
});

describe('Processes that die while a campaign gives out coupon codes', () => {
  it('give no code to two, and nobody two', async () => {
    const database = await createUndividedDatabase();
    const service = await TestService.start({ ...ENV, MESSAGE_CONCURRENCY: '0' }, database);
    try {
      const campaigns = await Campaigns.open(service);
      const { pool, template_id } = await prepare(campaigns);
      const COUNT = 40;
      await addCodes(
        campaigns,
        pool,
        Array.from({ length: COUNT }, (_, i) => `CODE-${i}`),
      );
      const list = await campaigns.list(addresses(COUNT));
      const id = await campaigns.draft(list, { template_id, coupon_pool_id: pool });
      await campaigns.schedule(id);
      const start = () =>
        new ServiceProcess({ ...ENV, DATABASE_URL: database.url, WORKER_CONCURRENCY: '0', LOG_LEVEL: 'silent' });
      for (const codes of [1, 15]) {
        const killed = start();
        await until(async () => (await held(campaigns, pool)).length >= codes, 'some have a code');
        killed.signal('SIGKILL');
        await killed.ended;
        await campaigns.shop.query(`
          update message set due_at = now()
          where store_id = '${campaigns.shop.storeId}' and status in ('claimed', 'sending')`);
      }
      const last = start();
      await campaigns.reaches(id, 'sent');
      await last.stop();
      const { sent = 0, 'unknown: undecided': unknown = 0 } = await campaigns.counts(id);
      expect(sent + unknown).to.equal(COUNT);
      const all = await held(campaigns, pool);
      expect(all).to.have.length(COUNT);
      expect(new Set(all.map(([, customer]) => customer)).size).to.equal(COUNT);
      expect(all).to.deep.include.members(await shown(campaigns, id));
    } finally {
      await service.stop();
    }
  });
});

/** A pool, and a template that shows codes. */
async function prepare({ shop }: Campaigns): Promise<{ pool: string; template_id: string }> {
  const input = { name: 'Welcome', kind: 'uploaded', per: 'customer' };
  const { id: pool } = (await shop.client.post<any>('/v1/coupon-pools', input, { expect: 201 })).body;
  const body = '<p>[{{ coupon.code }}]</p><a href="{{ unsubscribe_url }}">Unsubscribe</a>';
  return { pool, template_id: await shop.template({ body }) };
}

async function addCodes({ shop }: Campaigns, pool: string, codes: string[]): Promise<void> {
  await shop.client.post(`/v1/coupon-pools/${pool}/codes`, { codes }, { expect: 200 });
}

/** The codes that customers have, with whose each is, in the order of the codes. */
async function held({ shop }: Campaigns, pool: string): Promise<[string, string][]> {
  const rows = await shop.query(`
    select code, profile_id from coupon_code
    where store_id = '${shop.storeId}' and pool_id = '${pool}' and status = 'assigned' order by code`);
  return rows.map(({ code, profile_id }) => [code, profile_id]);
}

/** The same by what the messages of a campaign that were sent say. */
async function shown({ shop }: Campaigns, id: string): Promise<[string, string][]> {
  const rows = await shop.query(`
    select m.id, m.profile_id, o.content ->> 'html' as html from message m
    join outbox_message o on o.store_id = m.store_id and o.message_id = m.id
    where m.store_id = '${shop.storeId}' and m.source_id = '${id}'`);
  return rows
    .map(({ html, profile_id }): [string, string] => [/\[([^\]]+)\]/.exec(html)?.[1] ?? '', profile_id])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
