import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { RULES } from '../../src/domain/erasures/rules.ts';
import { recordEvent } from '../compat/steps.ts';
import { fill, leaveDeletedList } from '../support/backup.ts';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';

const EMAIL = 'ada1@example.com';
const NOBODY = '00000000-0000-0000-0000-000000000000';
const PHONE = '+442079460958';

/** Gone with the profile, or with its orders; or by itself, a moment later. */
const UNCOUNTED = ['profile_update', 'list_deletion', 'customer_value'];

interface Erased {
  id: string;
  tables: { table: string; row_count: number }[];
  [field: string]: unknown;
}

/** Follows an erasure to its end. */
async function followErasure(client: Client, id: string): Promise<Erased> {
  let erasure: Erased | undefined;
  await until(async () => {
    erasure = (await client.get(`/v1/erasures/${id}`, { expect: 200 })).body;
    return erasure?.status === 'complete';
  }, 'the customer is erased');
  return erasure as Erased;
}

describe('POST /v1/erasures', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start({ AUTOMATION_CONCURRENCY: '0', MESSAGE_CONCURRENCY: '0' });
  });
  beforeEach(async () => {
    const { key, storeId: own } = await service.newKey();
    client = new Client(service.url, key);
    storeId = own;
  });
  after(() => service.stop());

  const query = <Row>(statement: string) => service.database.query<Row>(statement);
  const upsert = (identifiers: object, expected = 201) =>
    client.post('/v1/profiles/upsert', { identifiers }, { expect: expected });
  const erase = async (body: object): Promise<Erased> =>
    await followErasure(client, (await client.post('/v1/erasures', body, { expect: 202 })).body.id);
  const tablesOf = ({ tables }: Erased) => Object.fromEntries(tables.map(({ table, row_count }) => [table, row_count]));

  it('has a rule for each table', async () => {
    const tables = await query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'migration'`);
    expect(Object.keys(RULES)).to.have.members(tables.map(({ name }) => name));
  });

  it('leaves nothing of a customer in any table', async () => {
    const { id } = (await upsert({ email: EMAIL, phone: PHONE, external_id: 'customer-1' })).body;
    // Rows in every table, which are hers from now on.
    await fill(client, service.database);
    await leaveDeletedList(service.database);
    await makeTheirs(id);
    const erasure = await erase({ profile_id: id });
    expect(erasure.profile_found).to.equal(true);
    for (const [table, text] of await rowsOfStore()) {
      const rule = RULES[table as keyof typeof RULES];
      if ('expires' in rule) continue;
      for (const value of [id, EMAIL, PHONE, 'customer-1']) {
        expect(text, `${table} holds ${value}`).not.to.include(value);
        expect(text, `${table} holds ${value}`).not.to.include(Buffer.from(value).toString('hex'));
      }
    }
    const counted = tablesOf(erasure);
    for (const [table, rule] of Object.entries(RULES)) {
      if (!UNCOUNTED.includes(table) && !('keeps' in rule) && !('expires' in rule))
        expect(counted, table).to.include.keys(table);
    }
    await client.get(`/v1/profiles/${id}`, { expect: 404 });
  });

  /** The text of every row of the store, by table. */
  async function rowsOfStore(): Promise<[string, string][]> {
    const texts: [string, string][] = [];
    for (const table of Object.keys(RULES)) {
      const rows = await query<{ text: string }>(`select t::text as text from "${table}" t`);
      texts.push([table, rows.map(({ text }) => text).join('\n')]);
    }
    return texts;
  }

  /** Has rows in all tables name a customer, and hold what she is known by. */
  async function makeTheirs(id: string): Promise<void> {
    const tables = await query<{ name: string }>(`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'profile_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
    for (const { name } of tables) {
      // A key that she has already is as good.
      await query(`
        do $$ begin
          update ${name} set profile_id = '${id}' where store_id = '${storeId}';
        exception when unique_violation then null; end $$`);
      const [{ count } = { count: 0 }] = await query<{ count: number }>(
        `select count(*)::int as count from ${name} where store_id = '${storeId}' and profile_id = '${id}'`,
      );
      if (count > 0) continue;
      await query(
        `update ${name} set profile_id = '${id}' where ctid = (select ctid from ${name} where store_id = '${storeId}' limit 1)`,
      );
    }
    const json = JSON.stringify({ email: EMAIL });
    await query(`
      insert into coupon_code (store_id, code, pool_id, id, status, holder, profile_id, order_id, created_at)
      values ('${storeId}', 'WELCOME-1', gen_random_uuid(), gen_random_uuid(), 'used', '${id}', '${id}', '${EMAIL}', now())`);
    const [{ run } = { run: '' }] = await query<{ run: string }>(
      `select id as run from automation_run where store_id = '${storeId}'`,
    );
    await client.post('/v1/suppressed-addresses', { addresses: [EMAIL] }, { expect: 200 });
    await suppressNumber();
    // The audit log has whom it was to be merged with.
    await client.post(`/v1/profiles/${id}/merge`, { from: UNKNOWN_ID }, { expect: 400 });
    for (const statement of [
      `update automation_run set status = 'active', ended_at = null, reason = null, due_at = '2040-01-01', captured = '${json}', key = '${EMAIL}', origin = '{"id": "date:${id}:2026-01-01", "type": "date", "at": 1, "receivedAt": 1, "eventId": null}', trigger_id = 'date:${id}:2026-01-01'`,
      `update automation_step set detail = '${json}'`,
      `update automation_skip set detail = '${json}'`,
      `update automation_occurrence set after_profile_id = '${id}'`,
      `update profile_change set changes = '${json}'`,
      `update message set address = '${EMAIL}', response = '250 ${EMAIL}', context = '${json}'`,
      `update outbox_message set content = '${json}'`,
      `update message_hit set url = 'https://shop.example/?email=${EMAIL}'`,
      `update feedback set raw = '${EMAIL}'`,
      `update list_confirmation set address = '${EMAIL}'`,
      `update identifier_split set value = '${EMAIL}', owners = '[{"profile_id": "${id}"}]'`,
      `update event set properties = '{"email": "${EMAIL}", "value": 12.5, "currency": "EUR"}'`,
      `update soft_bounce set digest = (select digest from suppressed_address s where s.store_id = soft_bounce.store_id and address = '${EMAIL}')`,
      `update webhook_delivery set run_id = '${run}', seq = 1, body = '${json}'`,
      `update webhook_attempt set excerpt = '${EMAIL}'`,
      `update segment_build set after_profile_id = '${id}'`,
      `update segment_store set compare_first = '${id}', compare_after = '${id}'`,
      `update automation_date_fill set after_profile_id = '${id}'`,
      `update automation_member_fill set after_profile_id = '${id}'`,
      `update list_deletion set reached = '${id}'`,
      `update campaign set reached = '${id}'`,
      `update kept_answer set body = '${json}'`,
      `update segment set failure = 'Its evaluation for the profile ${id} is not possible'`,
    ])
      await query(`${statement} where store_id = '${storeId}'`);
  }

  /** As an answer of STOP does. */
  async function suppressNumber(): Promise<void> {
    const [{ text } = { text: '' }] = await query<{ text: string }>(
      "select text from drawn_key where name = 'addresses'",
    );
    const digest = createHmac('sha256', text).update(PHONE).digest('hex');
    await query(`
      insert into suppressed_address (store_id, digest, id, address, reason, created_at)
      values ('${storeId}', decode('${digest}', 'hex'), gen_random_uuid(), '${PHONE}', 'unsubscribed', now())`);
  }

  it('forgets the number of a stranger to whom nothing is sent, and still sends nothing', async () => {
    await suppressNumber();
    const erasure = await erase({ phone: PHONE });
    expect(erasure.profile_found).to.equal(false);
    expect(tablesOf(erasure)).to.deep.equal({ suppressed_address: 1 });
    const [row, ...others] = await query(`select address from suppressed_address where store_id = '${storeId}'`);
    expect(row).to.deep.equal({ address: null });
    expect(others).to.deep.equal([]);
  });

  it('is by an identifier, and finds who has had it before', async () => {
    await upsert({ email: 'old@example.com', external_id: 'c1' });
    await upsert({ email: 'new@example.com', external_id: 'c1' }, 200);
    const erasure = await erase({ email: 'old@example.com' });
    expect(erasure).to.include({ profile_found: true, identifier_count: 3 });
    for (const [field, value] of Object.entries({ email: 'new@example.com', external_id: 'c1' })) {
      const { body } = await client.get(`/v1/profiles?${field}=${encodeURIComponent(value)}`, { expect: 200 });
      expect(body.profiles).to.deep.equal([]);
    }
  });

  it('has the identifiers suppressed, whoever writes', async () => {
    await upsert({ email: EMAIL, external_id: 'c1' });
    await erase({ email: EMAIL, suppress_days: 1 });
    const event = { event_type: 'visit', profile: { email: EMAIL } };
    const single = await client.post('/v1/events', event, { expect: 400 });
    expect(single.body.error).to.include({ code: 'validation_error', field: 'profile.email' });
    const upserted = await upsert({ email: EMAIL.toUpperCase(), phone: PHONE }, 400);
    expect(upserted.body.error.field).to.equal('identifiers.email');
    const other = { event_type: 'visit', profile: { external_id: 'c2' } };
    const bulk = await client.post('/v1/events/bulk', { events: [other, event] }, { expect: 400 });
    expect(bulk.body.error.field).to.equal('events[1].profile.email');
    const { body } = await client.post(
      '/v1/events/bulk',
      { events: [other, { ...event, profile: { external_id: 'c1' } }], on_invalid: 'skip' },
      { expect: 201 },
    );
    expect(body).to.include({ created: 1, rejected: 1 });
    expect(body.events[1].error.field).to.equal('events[1].profile.external_id');
    expect(await query(`select from event where store_id = '${storeId}'`)).to.have.length(1);
  });

  it('suppresses nobody for 0 days, and somebody who is not known all the same', async () => {
    await upsert({ email: EMAIL });
    await erase({ email: EMAIL, suppress_days: 0 });
    await upsert({ email: EMAIL });
    expect(await erase({ external_id: 'stranger' })).to.include({ profile_found: false, status: 'complete' });
    await upsert({ external_id: 'stranger' }, 400);
  });

  it('forgets idempotency keys, of both surfaces, and counts events no more', async () => {
    const { id } = (await upsert({ email: EMAIL })).body;
    await client.post('/v1/events', { event_type: 'visit', profile: { email: EMAIL }, idempotency_key: 'k' });
    await recordEvent(client, { metric: 'Viewed Product', unique_id: 'u', profile: { email: EMAIL } });
    const erasure = await erase({ profile_id: id, suppress_days: 0 });
    expect(tablesOf(erasure)).to.include({ event: 2, idempotency_key: 2 });
    expect(await countOf('visit')).to.equal(0);
  });

  it("keeps events as nobody's, if they are to be anonymised, with what they are worth alone", async () => {
    const properties = { value: 12.5, currency: 'EUR', order_id: 'o1', email: EMAIL };
    const event = { event_type: 'placed_order', profile: { email: EMAIL }, properties, idempotency_key: 'k' };
    await client.post('/v1/events', event, { expect: 201 });
    await erase({ email: EMAIL, events: 'anonymise' });
    const { body } = await client.get('/v1/events', { expect: 200 });
    expect(body.events).to.have.length(1);
    expect(body.events[0].properties).to.deep.equal({ value: 12.5, currency: 'EUR' });
    expect(body.events[0]).to.include({ profile_id: NOBODY, idempotency_key: null });
    expect(await countOf('placed_order')).to.equal(1);
  });

  it('that fails does not hold up others of the store', async () => {
    const { id } = (await upsert({ email: EMAIL })).body;
    for (const email of [EMAIL, 'eve@example.com'])
      await client.post('/v1/events', { event_type: 'visit', profile: { email } }, { expect: 201 });
    await query(`
      create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end';
      create trigger refuse before delete on event for each row when (old.profile_id = '${id}') execute function refuse()`);
    const first = (await client.post('/v1/erasures', { email: EMAIL }, { expect: 202 })).body;
    expect(await erase({ email: 'eve@example.com' })).to.include({ status: 'complete' });
    expect((await client.get(`/v1/erasures/${first.id}`, { expect: 200 })).body.status).not.to.equal('complete');
    await query(`
      drop trigger refuse on event; drop function refuse();
      update erasure set due_at = now() where id = '${first.id}'`);
    await followErasure(client, first.id);
  });

  it('sweeps what is written late by those who have read of the customer while she was swept', async () => {
    const { id } = (await upsert({ email: EMAIL })).body;
    const event = { event_type: 'visit', profile: { email: EMAIL } };
    const { body } = await client.post('/v1/events', event, { expect: 201 });
    await query(`
      create function linger() returns trigger language plpgsql as 'begin perform pg_sleep(1); return old; end';
      create trigger linger before delete on event for each row when (old.profile_id = '${id}') execute function linger()`);
    const { id: erasureId } = (await client.post('/v1/erasures', { email: EMAIL }, { expect: 202 })).body;
    await until(
      async () => (await query("select from pg_stat_activity where wait_event = 'PgSleep'")).length > 0,
      'she is swept',
    );
    await query(`
      do $$ begin
        perform pg_sleep(4);
        insert into order_note (store_id, event_id, profile_id, noted_at, order_id, kind)
        values ('${storeId}', '${body.id}', '${id}', now(), 'o1', 'placed');
      end $$`);
    await followErasure(client, erasureId);
    expect(await query(`select from order_note where profile_id = '${id}'`)).to.deep.equal([]);
    await query('drop trigger linger on event; drop function linger()');
  });

  async function countOf(type: string): Promise<number> {
    const { body } = await client.get(`/v1/events/stats?event_type=${type}`, { expect: 200 });
    return body.total;
  }

  it('gets the same answer again with its key', async () => {
    const body = { email: EMAIL, idempotency_key: 'erase-1' };
    const first = await client.post('/v1/erasures', body, { expect: 202 });
    const second = await client.post('/v1/erasures', body, { expect: 202 });
    expect(second.body).to.deep.equal(first.body);
  });

  it('is refused unless it names one customer', async () => {
    for (const body of [{ events: 'delete' }, { email: EMAIL, external_id: 'c1' }]) {
      const { body: answer } = await client.post('/v1/erasures', body, { expect: 400 });
      expect(answer.error.message).to.equal('The body needs exactly one of profile_id, email, phone, external_id');
    }
  });

  it('is refused for what can not be an id, and not for one that nobody has', async () => {
    const { body } = await client.post('/v1/erasures', { profile_id: 'zz' }, { expect: 400 });
    expect(body.error).to.include({ code: 'validation_error', field: 'profile_id' });
    expect(await erase({ profile_id: UNKNOWN_ID })).to.include({ profile_found: false });
  });

  describe('GET /v1/erasures', () => {
    it('lists them, the latest first', async () => {
      const first = await client.post('/v1/erasures', { external_id: 'c1' }, { expect: 202 });
      const second = await client.post('/v1/erasures', { external_id: 'c2' }, { expect: 202 });
      const { body } = await client.get('/v1/erasures', { expect: 200 });
      expect(body.erasures).to.deep.equal([second.body, first.body]);
      expect((await client.get('/v1/erasures?limit=1', { expect: 200 })).body.next_cursor).to.be.a('string');
    });
  });

  describe('GET /v1/erasures/{id}', () => {
    it('proves it by counts, and says nothing of the customer', async () => {
      const { id } = (await upsert({ email: EMAIL, phone: PHONE })).body;
      const proof = await erase({ email: EMAIL });
      expect(tablesOf(proof)).to.deep.include({ profile: 1, profile_identifier: 2 });
      expect(proof.completed_at).to.be.a('string');
      const text = JSON.stringify(proof);
      for (const value of [id, EMAIL, PHONE]) expect(text).not.to.include(value);
      await client.get('/v1/erasures/none', { expect: 404 });
    });
  });

  describe('POST /v1/suppressed-identifiers/remove', () => {
    it('lets a customer return, as somebody else', async () => {
      const { id } = (await upsert({ email: EMAIL, external_id: 'c1' })).body;
      await client.post('/v1/erasures', { profile_id: id, suppress_days: null }, { expect: 202 });
      const identifiers = [{ email: EMAIL }, { external_id: 'c1' }, { phone: PHONE }];
      const { body } = await client.post('/v1/suppressed-identifiers/remove', { identifiers }, { expect: 200 });
      expect(body).to.deep.equal({ released: 2 });
      expect((await upsert({ email: EMAIL })).body.id).not.to.equal(id);
    });
  });
});
