import { linkSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { detectFormat, restore } from '../../src/backup/backup.ts';
import { migrateWithin } from '../../src/backup/migrate-in-transaction.ts';
import { inTransaction } from '../../src/backup/transaction.ts';
import { StartError } from '../../src/process/start-error.ts';
import { contentOf, expectRefusal, run, succeed } from '../support/backup.ts';
import { Client } from '../support/client.ts';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, temporaryFolder } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('The backup commands', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let source: TestDatabase;
  let target: TestDatabase;
  const services: ServiceProcess[] = [];

  const start = (env: NodeJS.ProcessEnv): ServiceProcess => {
    const service = new ServiceProcess(env);
    services.push(service);
    return service;
  };

  before(async () => {
    folder = await temporaryFolder();
    source = await createDatabase();
    target = await createEmptyDatabase();
  });
  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await source.drop();
    await target.drop();
    await folder.remove();
  });

  it('refuse files that are no backups of this service, or were changed', async () => {
    const whole = join(folder.path, 'whole');
    await succeed('backup', whole, { DATABASE_URL: source.url, PATH: '' });
    const changed = readFileSync(whole);
    changed.writeUInt8(changed.readUInt8(changed.length >> 1) ^ 1, changed.length >> 1);
    const newer = gunzipSync(readFileSync(whole));
    newer.write('9', newer.indexOf('"version":1') + '"version":'.length);
    const files: [string | Buffer, RegExp][] = [
      [changed, /damaged/],
      [gzipSync(newer), /newer version/],
      [gzipSync('some text, and long enough'), /is not a backup/],
      [gzipSync(''), /is not a backup/],
      ['some text', /is not a backup/],
      ['', /is not a backup/],
      ['PGDMP', /pg_restore/],
    ];
    for (const [content, reason] of files) {
      const file = join(folder.path, 'foreign');
      writeFileSync(file, content);
      // As the command does, but for a process of its own each time.
      const refusal = await detectFormat(file)
        .then((backup) => restore(target.url, backup))
        .catch((error) => error);
      expect(refusal).to.be.instanceOf(StartError);
      expect(refusal.message).to.match(reason);
      expect(await contentOf(target)).to.deep.equal({});
    }
    await expectRefusal(join(folder.path, 'nowhere'), target, {}, /no such file/);
  });

  it('explain what is wrong and exit with 1, keeping an earlier backup', async () => {
    const file = join(folder.path, 'earlier');
    writeFileSync(file, 'earlier');
    const env = { DATABASE_URL: source.url };
    const mistakes: [string[], NodeJS.ProcessEnv, RegExp][] = [
      [[], env, /^Usage: npm run -s backup -- <file>$/m],
      [[file, file], env, /^Usage: /],
      [[file], { DATABASE_URL: target.url }, /^This database contains no Footfall data$/m],
      [[file], { DATA_DIR: folder.path }, /^There is no database in /],
      [[join(folder.path, 'no/folder')], env, /no such file/],
    ];
    for (const [args, settings, message] of mistakes) {
      const { code, stdout, stderr } = await run('backup', args, settings);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.match(message);
      expect(stderr).not.to.match(/^ {4}at /m);
    }
    expect(readFileSync(file, 'utf8')).to.equal('earlier');
  });

  it('do not follow a link at the target path', async () => {
    const [file, stranger] = [join(folder.path, 'followed'), join(folder.path, 'stranger')];
    writeFileSync(stranger, 'untouched', { mode: 0o644 });
    for (const place of [symlinkSync, linkSync]) {
      place(stranger, `${file}.partial`);
      await succeed('backup', file, { DATABASE_URL: source.url });
      expect(readFileSync(stranger, 'utf8')).to.equal('untouched');
      expect(lstatSync(file).isFile() && lstatSync(file).mode & 0o777).to.equal(0o600);
    }
  });

  it('restore a backup of an earlier version, which the service then migrates', async () => {
    const [earlier, copy] = [await createEmptyDatabase(), await createEmptyDatabase()];
    await inTransaction(earlier.url, '', (session) => migrateWithin(session, earlier.url, '0001-initial'));
    const file = join(folder.path, 'earlier.backup');
    await succeed('backup', file, { DATABASE_URL: earlier.url });
    await succeed('restore', file, { DATABASE_URL: copy.url });
    const applied = async () =>
      (await copy.query<{ name: string }>('select name from migration')).map(({ name }) => name);
    expect(await applied()).to.deep.equal(['0001-initial']);
    const service = await TestService.start({}, copy);
    await (await service.client()).post(
      '/v1/events',
      { event_type: 'visit', profile: { external_id: 'ada' } },
      { expect: 201 },
    );
    expect(await applied()).to.include.members(['0001-initial', '0003-import-jobs']);
    await service.stop();
    await earlier.drop();
  });

  it('work with the embedded database, whether or not the service is running', async () => {
    const [first, second] = ['a', 'b'].map((name) => ({ DATA_DIR: join(folder.path, name) }));
    const event = { event_type: 'visit', profile: { external_id: 'ada' }, idempotency_key: 'k' };
    const service = start({ ...first });
    const { body } = await new Client(await service.url(), service.key).post('/v1/events', event, { expect: 201 });
    const file = join(folder.path, 'embedded.backup');
    await succeed('backup', file, { ...first });
    await service.stop();
    await succeed('backup', file, { ...first });
    await succeed('restore', file, { ...second });
    const restored = start({ ...second });
    const replay = await new Client(await restored.url(), service.key).post('/v1/events', event, { expect: 201 });
    await restored.stop();
    expect(replay.body).to.deep.equal(body);
  });
});
