import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import { asJson } from '../../src/domain/profile-exports/as-json.ts';
import { type Read, readSection } from '../../src/domain/profile-exports/pages.ts';
import { RULES, SECTIONS } from '../../src/domain/profile-exports/rules.ts';
import { findExported } from '../../src/domain/profile-exports/subject.ts';
import { fill } from '../support/backup.ts';
import { Client } from '../support/client.ts';
import { needPrograms } from '../support/need-programs.ts';
import { until } from '../support/process.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';

const run = promisify(execFile);
const EMAIL = 'ada1@example.com';

type Exported = Record<string, any>;

describe('GET /v1/profiles/{id}/export', () => {
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
  const upsert = async (identifiers: object, attributes = {}): Promise<string> =>
    (await client.post('/v1/profiles/upsert', { identifiers, attributes }, { expect: 201 })).body.id;
  const exportOf = async (id: string): Promise<Exported> =>
    (await client.get(`/v1/profiles/${id}/export`, { expect: 200 })).body;
  const send = (path: string) => fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${client.key}` } });

  /** Events of a customer, written as fast as the database does. */
  async function writeEvents(id: string, count: number, properties = `'{"order_id": "o1"}'`): Promise<void> {
    await query(`
      insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
      select '${storeId}', uuidv7(), '${id}', 'visit', ${properties}, now() - n * interval '1 second', now()
      from generate_series(1, ${count}) n`);
  }

  it('has a rule for each table', async () => {
    const tables = await query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'migration'`);
    expect(Object.keys(RULES)).to.have.members(tables.map(({ name }) => name));
  });

  it('tells something of each table that names a customer', async () => {
    const named = await query<{ name: string }>(`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'profile_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
    for (const { name } of named) {
      const rule = RULES[name as keyof typeof RULES];
      const isPlace = name.startsWith('segment_') && 'keeps' in rule;
      expect('section' in rule || 'goesWith' in rule || isPlace, name).to.equal(true);
    }
  });

  it('has a record of every table', async () => {
    const id = await upsert({ email: EMAIL, external_id: 'c1' }, { first_name: 'Ada' });
    await fill(client, service.database);
    await makeTheirs(id);
    const exported = await exportOf(id);
    expect(Object.keys(exported)).to.deep.equal(['exported_at', 'profile_id', ...SECTIONS.map(({ name }) => name)]);
    for (const { name, columns } of SECTIONS) {
      const [record] = [exported[name]].flat();
      expect(record, name).to.be.an('object');
      expect(Object.keys(record), name).to.deep.equal(Object.keys(columns));
    }
    expect(exported.profile).to.include({ id, email: EMAIL, external_id: 'c1' });
    expect(exported.profile.attributes).to.deep.equal({ first_name: 'Ada' });
    expect(exported.identifiers).to.deep.include({ kind: 'email', value: EMAIL });
    expect(exported.identifiers).to.deep.include({ kind: 'external_id', value: 'c1' });
  });

  /** Has rows of the store in all tables be hers, and what belongs to them be theirs. */
  async function makeTheirs(id: string): Promise<void> {
    const tables = await query<{ name: string }>(`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'profile_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
    for (const { name } of tables) {
      await query(`
        do $$ begin
          update ${name} set profile_id = '${id}' where store_id = '${storeId}';
        exception when unique_violation then null; end $$`);
      await query(`
        do $$ begin
          update ${name} set profile_id = '${id}' where ctid = (
            select ctid from ${name} where store_id = '${storeId}' and profile_id <> '${id}' limit 1);
        exception when unique_violation then null; end $$`);
    }
    await client.post('/v1/suppressed-addresses', { addresses: [EMAIL] }, { expect: 200 });
    const ofRun = `(select id from automation_run where store_id = '${storeId}' limit 1)`;
    const ofMessage = `(select id from message where store_id = '${storeId}' limit 1)`;
    for (const statement of [
      `insert into coupon_code (store_id, code, pool_id, id, status, holder, profile_id, created_at)
       values ('${storeId}', 'WELCOME-1', gen_random_uuid(), gen_random_uuid(), 'assigned', '${id}', '${id}', now())`,
      `update automation_step set run_id = ${ofRun} where store_id = '${storeId}' and seq = 1`,
      `update webhook_delivery set run_id = ${ofRun}, seq = 1 where store_id = '${storeId}'`,
      ...['outbox_message', 'message_hit', 'feedback'].map(
        (table) =>
          `update ${table} set message_id = ${ofMessage}
           where store_id = '${storeId}' and ctid = (select ctid from ${table} where store_id = '${storeId}' limit 1)`,
      ),
      `update soft_bounce set digest = (
         select digest from suppressed_address s where s.store_id = soft_bounce.store_id and address = '${EMAIL}')
       where store_id = '${storeId}'`,
      `update segment_member m set generation = s.generation from segment s
       where s.store_id = m.store_id and s.id = m.segment_id and m.store_id = '${storeId}'`,
      `update segment_change m set generation = s.generation from segment s
       where s.store_id = m.store_id and s.id = m.segment_id and m.store_id = '${storeId}'`,
    ])
      await query(statement);
    const former = await upsert({ external_id: 'former' });
    await client.post(`/v1/profiles/${id}/merge`, { from: former }, { expect: 202 });
  }

  it('tells numbers as they are, and texts whatever is in them', async () => {
    const id = await upsert({ email: EMAIL });
    const properties = '{"big":12345678901234567890,"small":1.10,"text":"a\\"\\n\\u2028😀"}';
    await writeEvents(id, 1, `'${properties}'`);
    const text = await (await send(`/v1/profiles/${id}/export`)).text();
    expect(text).to.include(`"properties":${properties}`);
    expect(text.endsWith(']}\n')).to.equal(true);
  });

  it('has each event once, over many pages, in the order of time', async () => {
    const id = await upsert({ email: EMAIL });
    const other = await upsert({ email: 'other@example.com' });
    await writeEvents(id, 1_234);
    await writeEvents(other, 10);
    // Pages end early for them.
    await writeEvents(id, 3, "json_build_object('text', repeat('x', 900000))");
    const { events } = (await (await send(`/v1/profiles/${id}/export`)).json()) as Exported;
    const ids = events.map((event: Exported) => event.id);
    expect(new Set(ids).size).to.equal(1_237);
    expect(ids).to.have.length(1_237);
    const at = events.map((event: Exported) => event.occurred_at);
    expect(at).to.deep.equal(at.toSorted());
  });

  it('follows the id of a customer who was merged, and has what has not moved yet', async () => {
    const [id, former] = [await upsert({ email: EMAIL }), await upsert({ external_id: 'c2' })];
    await client.post(`/v1/profiles/${id}/merge`, { from: former }, { expect: 202 });
    const isMoved = async () =>
      (
        await query<{ done: boolean }>(
          `select completed_at is not null as done from profile_merge where store_id = '${storeId}'`,
        )
      )[0]?.done === true;
    await until(isMoved, 'the customer is merged');
    // Late, and not looked for yet.
    await writeEvents(former, 2);
    const exported = await exportOf(former.toUpperCase());
    expect(exported.profile_id).to.equal(id);
    expect(exported.events).to.have.length(2);
    expect(exported.merges.map((merge: Exported) => merge.from_id)).to.deep.equal([former]);
    const [{ before, changes }] = exported.merges;
    expect(before.from.id).to.equal(former);
    expect(before.from).to.include.all.keys('external_id', 'attributes');
    expect(before.from.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(changes).to.include({ moved_run_count: 0, ended_run_count: 0 });
    expect(JSON.stringify([before, changes])).not.to.match(/"[a-z]+[A-Z]\w*":/);
  });

  it('begins to answer, and goes on, while it looks through much that is of others', async () => {
    const id = await upsert({ email: EMAIL });
    await query(`
      insert into profile_change (store_id, id, profile_id, changes, depth, changed_at, is_historical, from_client)
      select '${storeId}', uuidv7(), case n when 12000 then '${id}'::uuid else gen_random_uuid() end,
        '{"plan":{"to":"pro"}}', 0, now(), false, false
      from generate_series(1, 25000) n`);
    const { attribute_changes } = await exportOf(id);
    expect(attribute_changes).to.have.length(1);
    const database = await openDatabase(service.database.address, 1);
    try {
      const db = database.stores.of(storeId);
      const of = await findExported(db, storeId, id, () => Buffer.alloc(0));
      if (!of) throw new Error('There is nobody to export');
      let isSlow = false;
      const read: Read = async (work) => {
        if (isSlow) await sleep(600);
        return await work(db);
      };
      const pieces = asJson(read, of, new Date());
      isSlow = true;
      const [first, second] = [await pieces.next(), await pieces.next()];
      isSlow = false;
      expect(first.value + second.value).not.to.include('"events"');
      let text = first.value + second.value;
      for await (const piece of pieces) text += piece;
      expect(JSON.parse(text)).to.include({ profile_id: id });
    } finally {
      await database.close();
    }
  });

  it('loses nothing that a merge moves while it is read', async () => {
    const [id, former] = [await upsert({ email: EMAIL }), await upsert({ external_id: 'c3' })];
    await client.post(`/v1/profiles/${id}/merge`, { from: former }, { expect: 202 });
    await writeEvents(id, 3);
    await writeEvents(former, 600);
    await query(`update profile_merge set due_at = now() + interval '1 day' where store_id = '${storeId}'`);
    const database = await openDatabase(service.database.address, 1);
    try {
      const db = database.stores.of(storeId);
      const of = await findExported(db, storeId, id, () => Buffer.alloc(0));
      const events = SECTIONS.find(({ name }) => name === 'events');
      if (!of || !events) throw new Error('There is nothing to export');
      // After each page some move, from both ends of time.
      const read: Read = async (work) => {
        const rows = await work(db);
        await query(`
          update event set profile_id = '${id}' where store_id = '${storeId}' and id in (
            (select id from event where store_id = '${storeId}' and profile_id = '${former}' order by occurred_at limit 50)
            union all
            (select id from event where store_id = '${storeId}' and profile_id = '${former}' order by occurred_at desc limit 50))`);
        return rows;
      };
      const found = new Set<unknown>();
      for await (const rows of readSection(read, of, events)) for (const row of rows) found.add(row.id);
      expect(found.size).to.equal(603);
    } finally {
      await database.close();
    }
  });

  it('knows nobody of another store, and nobody who is erased', async () => {
    const id = await upsert({ email: EMAIL });
    const stranger = await service.client();
    for (const format of ['export', 'export/files']) {
      await stranger.get(`/v1/profiles/${id}/${format}`, { expect: 404 });
      await client.get(`/v1/profiles/none/${format}`, { expect: 404 });
    }
    await client.post('/v1/erasures', { profile_id: id }, { expect: 202 });
    await client.get(`/v1/profiles/${id}/export`, { expect: 404 });
  });

  it('needs to read profiles too', async () => {
    const id = await upsert({ email: EMAIL });
    const { key } = await service.newKey({ storeId, scopes: ['privacy:manage'] });
    await client.as(key).get(`/v1/profiles/${id}/export`, { expect: 403 });
  });

  it('breaks rather than looking whole, if the customer is erased meanwhile', async () => {
    const id = await upsert({ email: EMAIL });
    await writeEvents(id, 30_000, "json_build_object('text', repeat('x', 1000))");
    for (const path of ['export', 'export/files']) {
      const response = await send(`/v1/profiles/${id}/${path}`);
      expect(response.status).to.equal(200);
      // It is read no further than the buffers reach, and goes on once she is gone.
      if (path === 'export/files')
        await client.post('/v1/erasures', { profile_id: id, suppress_days: 0 }, { expect: 202 });
      else await query(`update profile set id = gen_random_uuid() where store_id = '${storeId}' and id = '${id}'`);
      const failure = await response.arrayBuffer().then(
        () => undefined,
        (error: Error) => error,
      );
      expect(failure).to.be.an.instanceOf(Error);
      if (path === 'export') await query(`update profile set id = '${id}' where store_id = '${storeId}'`);
    }
  });

  it('is one at a time of a store, until it is read or given up', async () => {
    const id = await upsert({ email: EMAIL });
    await writeEvents(id, 30_000, "json_build_object('text', repeat('x', 1000))");
    const first = await send(`/v1/profiles/${id}/export`);
    const second = await send(`/v1/profiles/${id}/export`);
    expect(second.status).to.equal(429);
    expect(((await second.json()) as Exported).error.code).to.equal('rate_limit_exceeded');
    expect(Number(second.headers.get('retry-after'))).to.be.greaterThan(0);
    // Somebody unknown needs none.
    await client.get(`/v1/profiles/${UNKNOWN_ID}/export`, { expect: 404 });
    await first.body?.cancel();
    await until(async () => (await send(`/v1/profiles/${id}/export`)).status === 200, 'the slot is free');
  });

  it('leaves nothing behind where only its headers are asked for', async () => {
    const id = await upsert({ email: EMAIL });
    for (const method of ['HEAD', 'HEAD', 'GET']) {
      const headers = { Authorization: `Bearer ${client.key}` };
      const ask = () => fetch(`${service.url}/v1/profiles/${id}/export`, { method, headers });
      await until(async () => (await ask()).status === 200, `${method} is answered`);
    }
  });
});

describe('GET /v1/profiles/{id}/export/files', () => {
  let service: TestService;
  let client: Client;
  let folder: string;

  before(async () => {
    service = await TestService.start();
    client = await service.client();
    folder = await mkdtemp(join(tmpdir(), 'footfall-export-'));
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  async function download(id: string): Promise<string> {
    const headers = { Authorization: `Bearer ${client.key}` };
    const response = await fetch(`${service.url}/v1/profiles/${id}/export/files`, { headers });
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('application/zip');
    expect(response.headers.get('content-disposition')).to.equal(`attachment; filename="customer-${id}.zip"`);
    const file = join(folder, `${id}.zip`);
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    return file;
  }

  it('is an archive of a file for each section, which can not run formulas', async function () {
    needPrograms(this, 'python3');
    const identifiers = { email: EMAIL, external_id: '=1+1', phone: '+442079460958' };
    const { body } = await client.post('/v1/profiles/upsert', { identifiers, attributes: { note: 'a "b", c' } });
    const events = [1, 2].map((n) => ({
      event_type: '@sum',
      profile: { email: EMAIL },
      properties: { text: `ä\r\n"${n}"`, minus: -1 },
    }));
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    const file = await download(body.id);
    const read = [
      'import csv, io, json, sys, zipfile',
      'archive = zipfile.ZipFile(sys.argv[1])',
      'assert archive.testzip() is None',
      'print(json.dumps({name: list(csv.DictReader(io.StringIO(archive.read(name).decode("utf-8"), newline=""))) for name in archive.namelist()}))',
    ].join('\n');
    const { stdout } = await run('python3', ['-c', read, file]);
    const files = JSON.parse(stdout);
    expect(Object.keys(files)).to.deep.equal(SECTIONS.map(({ name }) => `${name}.csv`));
    const [profile] = files['profile.csv'];
    expect(profile).to.include({ external_id: "'=1+1", phone: "'+442079460958", email: EMAIL });
    expect(JSON.parse(profile.attributes)).to.deep.equal({ note: 'a "b", c' });
    const rows = files['events.csv'];
    expect(rows).to.have.length(2);
    expect(rows[0].event_type).to.equal("'@sum");
    expect(JSON.parse(rows[0].properties)).to.deep.equal({ text: 'ä\r\n"1"', minus: -1 });
    expect(files['messages.csv']).to.deep.equal([]);
  });
});
