import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { contentOf, succeed } from '../support/backup.ts';
import { Client } from '../support/client.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';
import { Command, temporaryFolder, until } from '../support/process.ts';
import { builtProgram } from '../support/programs.ts';
import { TestService } from '../support/service.ts';

describe('The erase command', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    const storeId = await service.newStore('shop');
    client = new Client(service.url, (await service.newKey({ storeId })).key);
  });
  after(() => service.stop());

  const erase = (...args: string[]) =>
    new Command(process.execPath, [builtProgram('scripts/erase.ts'), ...args], { DATABASE_URL: service.database.url })
      .ended;

  it('erases a customer beside the service, and prints the proof', async () => {
    await client.post('/v1/events', { event_type: 'visit', profile: { email: 'ada@example.com' } }, { expect: 201 });
    const { code, stdout, stderr } = await erase('--email', 'Ada@example.com', '--store', 'shop', '--json');
    expect([code, stderr]).to.deep.equal([0, '']);
    const { id, profile_found, tables } = JSON.parse(stdout);
    expect(profile_found).to.equal(true);
    expect(tables).to.include({ profile: 1, profile_identifier: 1, event: 1 });
    const { body } = await client.get(`/v1/erasures/${id}`, { expect: 200 });
    expect(body).to.include({ status: 'complete', requested_by: null });
    expect((await client.get('/v1/events', { expect: 200 })).body.events).to.deep.equal([]);
    const [entry] = (await client.get('/v1/audit-entries', { expect: 200 })).body.entries;
    expect(entry).to.deep.include({ operation: 'erase', fields: ['email'], target: id, outcome: 'done', status: null });
    expect(entry).to.deep.include({ actor: { kind: 'operator', id: null, name: null }, address: null });
  });

  describe('beside backups', () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let target: TestDatabase;

    before(async () => {
      folder = await temporaryFolder();
    });
    after(() => folder.remove());
    beforeEach(async () => {
      target = await createEmptyDatabase();
    });
    afterEach(() => target.drop());

    const identified = async () =>
      (await target.query<{ value: string }>('select value from profile_identifier order by value')).map(
        ({ value }) => value,
      );
    const onTarget = (script: string, ...args: string[]) =>
      new Command(process.execPath, [builtProgram(`scripts/${script}.ts`), ...args], { DATABASE_URL: target.url })
        .ended;

    async function writeLog(...args: string[]): Promise<{ file: string; text: string }> {
      const { code, stdout, stderr } = await erase('log', ...args);
      expect([code, stderr]).to.deep.equal([0, '']);
      const file = join(folder.path, `log-${Math.random()}`);
      await writeFile(file, stdout);
      return { file, text: stdout };
    }

    it('erases again whoever was erased after the backup, and nobody else', async () => {
      const upsert = async (identifiers: object) =>
        (await client.post('/v1/profiles/upsert', { identifiers })).body.id as string;
      const eve = await upsert({ email: 'eve@example.com', external_id: 'eve' });
      const wendy = await upsert({ email: 'wendy@example.com', external_id: 'wendy' });
      const victor = await upsert({ external_id: 'victor' });
      await upsert({ email: 'mallory@example.com' });
      await upsert({ email: 'trent@example.com' });
      await client.post('/v1/events', { event_type: 'visit', profile: { email: 'eve@example.com' } }, { expect: 201 });
      const backup = join(folder.path, 'backup');
      await succeed('backup', backup, { DATABASE_URL: service.database.url, PATH: '' });
      // Her address becomes his, who is erased: in the backup it is hers.
      await service.database.query(`
        update profile_identifier set profile_id = '${victor}' where value = 'wendy@example.com'`);
      await client.post('/v1/erasures', { profile_id: victor, suppress_days: 0 }, { expect: 202 });
      await client.post('/v1/erasures', { profile_id: eve, suppress_days: null }, { expect: 202 });
      const { body: last } = await client.post('/v1/erasures', { email: 'mallory@example.com' }, { expect: 202 });
      const { file, text } = await writeLog();
      for (const value of [eve, victor, wendy, 'eve@', 'mallory']) expect(text).not.to.include(value);

      const { code, stderr } = await onTarget('restore', backup, '--erasures', file);
      expect(code, stderr).to.equal(0);
      expect(stderr).to.include('3 customers were erased again');
      expect(await identified())
        .to.include.members(['trent@example.com', 'wendy@example.com', 'wendy'])
        .and.not.to.include.members(['eve@example.com', 'eve']);
      expect(await identified()).not.to.include('victor');
      expect(await identified()).not.to.include('mallory@example.com');
      const events = await target.query(`select from event where profile_id = '${eve}'`);
      expect(events).to.deep.equal([]);
      expect(await target.query(`select from erasure where id = '${last.id}'`)).to.have.length(1);
      const suppressed = await target.query('select from suppressed_identifier where until is null');
      expect(suppressed).to.have.length(2);
      // Whoever has come back since stays.
      await target.query(`
        update profile_identifier set value = 'eve@example.com' where value = 'trent@example.com'`);
      // And nobody may come back sooner than is known by now.
      await target.query('update suppressed_identifier set until = null');
      const again = await onTarget('erase', 'redo', file);
      expect([again.code, again.stderr]).to.deep.equal([0, again.stderr]);
      expect(again.stderr).to.include('0 customers were erased again');
      expect(await identified()).to.include('eve@example.com');
      expect(await target.query('select from suppressed_identifier where until is not null')).to.deep.equal([]);
    });

    it('finds whom a list of a version before means by identifiers', async () => {
      const storeId = await service.newStore();
      const own = new Client(service.url, (await service.newKey({ storeId })).key);
      await own.post('/v1/profiles/upsert', { identifiers: { email: 'grace@example.com' } }, { expect: 201 });
      const backup = join(folder.path, 'before-grace');
      await succeed('backup', backup, { DATABASE_URL: service.database.url, PATH: '' });
      await own.post('/v1/erasures', { email: 'grace@example.com' }, { expect: 202 });
      const { file, text } = await writeLog();
      const former = text.replaceAll(/,"profile_digests":(\[[^\]]*\]|null)/g, '').replace(',"all_stores":true', '');
      expect(former).not.to.match(/profile_digests|all_stores/);
      await writeFile(file, former);
      const { code, stderr } = await onTarget('restore', backup, '--erasures', file);
      expect(code, stderr).to.equal(0);
      expect(await identified()).not.to.include('grace@example.com');
    });

    it('says that a copy was restored without a list, until one was done again or there is none', async () => {
      const backup = join(folder.path, 'without-a-list');
      await succeed('backup', backup, { DATABASE_URL: service.database.url, PATH: '' });
      const { code, stderr } = await onTarget('restore', backup);
      expect([code, stderr]).to.deep.equal([0, stderr]);
      expect(stderr).to.include('whoever was erased after the backup is there again');
      const copy = await TestService.start({}, target);
      try {
        const [readiness, erasures] = [
          async () => (await new Client(copy.url).get('/health/ready', { expect: 200 })).body.erasures,
          async () => (await new Client(copy.url, client.key).get('/v1/erasures', { expect: 200 })).body.restored_at,
        ];
        expect(await readiness()).to.equal('not done again');
        expect(Date.parse(await erasures())).to.be.closeTo(Date.now(), 120_000);
        // A list of one store says nothing of the others.
        const { file: ofShop } = await writeLog('--store', 'shop');
        expect((await onTarget('erase', 'redo', ofShop)).code).to.equal(0);
        expect(await erasures()).to.equal(null);
        await until(async () => (await readiness()) === 'not done again', 'others are missing');
        const none = await onTarget('erase', 'no-list');
        expect([none.code, none.stderr]).to.deep.equal([0, none.stderr]);
        expect(none.stderr).to.match(/^[1-9]\d* stores are no longer shown/);
        await until(async () => (await readiness()) === 'complete', 'nothing is missing');
        await target.query(`insert into erasure_gap select id, now() from store`);
        expect((await onTarget('erase', 'redo', (await writeLog()).file)).code).to.equal(0);
        await until(async () => (await readiness()) === 'complete', 'all were done again');
      } finally {
        await copy.stopService();
      }
    });

    it('lets nobody come back whom a store has erased as its first', async () => {
      const storeId = await service.newStore();
      const own = new Client(service.url, (await service.newKey({ storeId })).key);
      await own.post('/v1/profiles/upsert', { identifiers: { email: 'eve@example.com' } }, { expect: 201 });
      const backup = join(folder.path, 'before-the-first');
      await succeed('backup', backup, { DATABASE_URL: service.database.url, PATH: '' });
      await own.post('/v1/erasures', { email: 'eve@example.com', suppress_days: null }, { expect: 202 });
      const { file } = await writeLog();
      const { code, stderr } = await onTarget('restore', backup, '--erasures', file);
      expect(code, stderr).to.equal(0);
      // The key is needed to know her again.
      for (const table of ['suppression_key', 'suppressed_identifier']) {
        const rows = `select t::text as row from ${table} t where store_id = '${storeId}'`;
        const [restored, expected] = [await target.query(rows), await service.database.query(rows)];
        expect(expected).to.have.length(1);
        expect(restored).to.deep.equal(expected);
      }
    });

    it('has a list since a time, of a store', async () => {
      await client.post('/v1/erasures', { external_id: 'somebody' }, { expect: 202 });
      const erasures = ({ text }: { text: string }) =>
        text.split('\n').filter((line) => line.includes('"kind":"erasure"')).length;
      expect(erasures(await writeLog('--store', 'shop'))).to.be.greaterThan(0);
      expect(erasures(await writeLog('--since', '2999-01-01T00:00:00Z'))).to.equal(0);
      const { code, stderr } = await erase('log', '--since', 'yesterday');
      expect([code, stderr.trim()]).to.deep.equal([1, '--since must be a time, as 2026-11-20T00:00:00Z']);
    });

    it('restores nothing with a list that was cut, or is none', async () => {
      const { file, text } = await writeLog();
      const lines = text.trimEnd().split('\n');
      for (const content of [lines.slice(0, -1).join('\n'), lines.slice(1).join('\n'), 'no list', '']) {
        await writeFile(file, content);
        const backup = join(folder.path, 'whole');
        await succeed('backup', backup, { DATABASE_URL: service.database.url, PATH: '' });
        const { code, stderr } = await onTarget('restore', backup, '--erasures', file);
        expect(code, stderr).to.equal(1);
        expect(stderr).to.match(/list of erasures/);
        expect(await contentOf(target)).to.deep.equal({});
      }
    });
  });

  it('says what it lacks', async () => {
    for (const [args, message] of [
      [[], /^Usage:/],
      [['--email', 'ada'], /^--email must be an e-mail address/],
      [['--email', 'ada@example.com', '--store', 'none'], /^There is no store "none"/],
      [['--external-id', 'x', '--suppress-days', '-1'], /suppress-days/],
    ] as const) {
      const { code, stderr } = await erase(...args);
      expect([code, stderr]).to.deep.equal([1, stderr]);
      expect(stderr).to.match(message);
    }
  });
});
