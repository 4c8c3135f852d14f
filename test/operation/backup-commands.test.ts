import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { expectRefusal, run, succeed } from '../support/backup.ts';
import { Client } from '../support/client.ts';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, temporaryFolder } from '../support/process.ts';

describe('The backup commands', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let source: TestDatabase;
  let target: TestDatabase;

  before(async () => {
    folder = await temporaryFolder();
    source = await createDatabase();
    target = await createEmptyDatabase();
  });
  after(async () => {
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
      ['PGDMP', /no pg_restore on the PATH/],
    ];
    for (const [content, reason] of files) {
      const file = join(folder.path, 'foreign');
      writeFileSync(file, content);
      await expectRefusal(file, target, { PATH: '' }, reason);
    }
    await expectRefusal(join(folder.path, 'nowhere'), target, {}, /no such file/);
  });

  it('say what is wrong, in words, and exit with 1; an earlier backup stays', async () => {
    const file = join(folder.path, 'earlier');
    writeFileSync(file, 'earlier');
    const env = { DATABASE_URL: source.url };
    const mistakes: [string[], NodeJS.ProcessEnv, RegExp][] = [
      [[], env, /^Usage: npm run backup -- <file>$/m],
      [[file, file], env, /^Usage: /],
      [[file], { DATABASE_URL: target.url }, /^There is nothing of Footfall in this database$/m],
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

  it('work with the embedded database too, while the service runs and while it does not', async function () {
    this.timeout(60_000);
    const [first, second, third] = ['a', 'b', 'c'].map((name) => ({ DATA_DIR: join(folder.path, name) }));
    const event = { event_type: 'visit', profile: { external_id: 'ada' }, idempotency_key: 'k' };
    const service = new ServiceProcess({ ...first });
    const { body } = await new Client(await service.url(), service.key).post('/v1/events', event, { expect: 201 });
    const file = join(folder.path, 'embedded.backup');
    await succeed('backup', file, { ...first });
    const { key } = service;
    await service.stop();
    await succeed('restore', file, { ...second });
    await succeed('backup', file, { ...second });
    await succeed('restore', file, { ...third });
    const restored = new ServiceProcess({ ...third });
    const replay = await new Client(await restored.url(), key).post('/v1/events', event, { expect: 201 });
    await restored.stop();
    expect(replay.body).to.deep.equal(body);
  });
});
