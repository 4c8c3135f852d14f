import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { profileJobDocument } from '../compat/documents.ts';
import { followJob } from '../compat/steps.ts';
import { contentOf, expectRefusal, fill, keepWriting, leaveDeletedList, run, succeed } from '../support/backup.ts';
import { Client } from '../support/client.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { startToolsPostgres } from '../support/tools-postgres.ts';

const PROFILES = 1_200;
/** Tables that a restored copy has rows of its own in. */
const CHANGED = ['automation', 'automation_hold', 'erasure_gap', 'feed_head', 'feed_reader'];
/** Tables that a restored copy has no rows of: who was signed out or removed since, and what was revoked, is not known there. */
const ENDED = ['invitation', 'person_session', 'provider_sign_in', 'password_reset'];

interface Way {
  how: string;
  /** How the file begins. */
  magic: string;
  /** Opens a server, and says where the tools for it are. */
  open(test: Context): Promise<{ server: Server; env: NodeJS.ProcessEnv }>;
}

interface Server {
  createEmptyDatabase(): Promise<TestDatabase>;
  stop?(): Promise<void>;
}

const WAYS: Way[] = [
  {
    how: 'A backup without the tools of Postgres',
    magic: '\x1f\x8b',
    open: async () => ({ server: { createEmptyDatabase }, env: { PATH: '/nonexistent' } }),
  },
  {
    how: 'A backup by pg_dump',
    magic: 'PGDMP',
    open: async (test) => {
      const server = await startToolsPostgres(test);
      return { server, env: { PATH: server.tools } };
    },
  },
];

for (const { how, magic, open } of WAYS) {
  describe(how, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    const databases: TestDatabase[] = [];
    let server: Server;
    let env: NodeJS.ProcessEnv;
    let source: TestDatabase;
    let key: string;
    let storeId: string;
    /** The address of a job that nobody has begun. */
    let link: string;
    let earlier: Record<string, string[]>;
    let [busy, quiet] = ['', ''];

    const empty = async () => {
      const database = await server.createEmptyDatabase();
      databases.push(database);
      return database;
    };
    const envOf = ({ url }: TestDatabase) => ({ ...env, DATABASE_URL: url });

    before(async function () {
      folder = await temporaryFolder();
      ({ server, env } = await open(this));
      [busy, quiet] = [join(folder.path, 'busy.backup'), join(folder.path, 'quiet.backup')];
      source = await empty();
      const service = await TestService.start({ AUTOMATION_CONCURRENCY: '0' }, source);
      ({ key, storeId } = await service.newKey());
      await fill(new Client(service.url, key), source);
      await service.stopService();

      const withoutWorker = await TestService.start({ WORKER_CONCURRENCY: '0', AUTOMATION_CONCURRENCY: '0' }, source);
      const client = new Client(withoutWorker.url, key);
      const profiles = Array.from({ length: PROFILES }, (_, i) => ({ external_id: `imported${i}` }));
      const document = profileJobDocument(profiles);
      link = (await client.post('/compat/v1/profile-bulk-import-jobs', document, { expect: 202 })).body.data.links.self;
      earlier = await contentOf(source);
      const stopWriting = keepWriting(client);
      await succeed('backup', busy, envOf(source));
      await stopWriting();
      await withoutWorker.stopService();
      await leaveDeletedList(source);
      // As the version before made, or another application.
      await source.query('create schema graphile_worker; create table graphile_worker.jobs (id int)');
      await succeed('backup', quiet, envOf(source));
    });
    after(async () => {
      for (const database of databases) await database.drop();
      await server?.stop?.();
      await folder.remove();
    });

    it('creates a file that only its owner may read', () => {
      expect(readFileSync(quiet).toString('latin1').startsWith(magic)).to.equal(true);
      expect(statSync(quiet).mode & 0o777).to.equal(0o600);
      expect(existsSync(`${quiet}.partial`)).to.equal(false);
    });

    it('restores every row of every table into an empty database', async () => {
      const target = await empty();
      const { stderr, stdout } = await run('restore', [quiet], envOf(target));
      expect(stderr + stdout).to.contain('everybody is signed out and invitations are void');
      const [expected, actual] = [await contentOf(source), await contentOf(target)];
      expect(await target.query(`select from pg_namespace where nspname = 'graphile_worker'`)).to.have.length(0);
      const { automation, automation_hold, erasure_gap, feed_head, feed_reader, ...others } = actual;
      // But for the change feed, which begins anew on another server, and for automations, which wait for somebody.
      for (const name of [...CHANGED, ...ENDED]) {
        expect(expected[name], name).not.to.equal(undefined);
        delete expected[name];
      }
      const ended = Object.fromEntries(ENDED.map((name) => [name, []]));
      expect(others).to.deep.equal({ ...expected, ...ended, addition: [], automation_chain: [], profile_change: [] });
      expect([automation, automation_hold, feed_head, feed_reader].map((rows) => rows?.length)).to.deep.equal([
        1, 1, 1, 1,
      ]);
      expect(erasure_gap).to.have.length((await source.query('select from store')).length);
      expect(feed_head).to.deep.equal([`(${storeId},0)`]);
      expect(feed_reader?.[0]).to.match(new RegExp(`^\\(${storeId},automations,0,0,`));
      expect(automation?.[0]).to.match(/,paused,1,,t\)$/);
      for (const [table, rows] of Object.entries(expected)) {
        // Not every partition has events, and counts are moved now and then.
        if (!/^event_|_count_new$/.test(table)) expect(rows, table).not.to.be.empty;
      }
    });

    it('lets a service continue after a restore: keys, idempotency keys, and unfinished jobs', async () => {
      const target = await empty();
      await succeed('restore', quiet, envOf(target));
      const service = await TestService.start({}, target);
      const client = new Client(service.url, key);
      const job = await followJob(client, link);
      expect(job.attributes).to.include({ completed_count: PROFILES, failed_count: 0 });
      const event = { event_type: 'placed_order', profile: { email: 'ada1@example.com' } };
      const replay = await client.post('/v1/events', { ...event, idempotency_key: 'order\t1' }, { expect: 201 });
      expect(replay.headers['idempotency-replayed']).to.equal('true');
      await client.post('/v1/events', event, { expect: 201 });
      await service.stopService();
      const count = `select count(*)::int as n from profile where store_id = '${storeId}' and external_id ~ '^imported'`;
      expect(await target.query(count)).to.deep.equal([{ n: PROFILES }]);
    });

    it('made while the service writes contains everything from before, and nothing by halves', async () => {
      const target = await empty();
      await succeed('restore', busy, envOf(target));
      const [later, actual] = [await contentOf(source), await contentOf(target)];
      for (const table of ['event', 'idempotency_key', 'profile', 'profile_identifier', 'import_job', 'import_chunk']) {
        expect(actual[table], table).to.include.members(earlier[table] as string[]);
        expect(later[table], table).to.include.members(actual[table] as string[]);
      }
      expect(actual.event).to.have.length.above((earlier.event as string[]).length);
      const halves = `
        select 1 from event where not exists (select from profile where (store_id, id) = (event.store_id, profile_id))
        union all
        select 1 from event where idempotency_key is not null and not exists (
          select from idempotency_key where (store_id, event_id) = (event.store_id, event.id))
        union all
        select 1 from idempotency_key where not exists (select from event where (store_id, id) = (idempotency_key.store_id, event_id))`;
      expect(await target.query(halves)).to.deep.equal([]);
    });

    it('is refused, without changes, if the database is not empty', async () => {
      const content = await contentOf(source);
      const { code, stderr } = await run('restore', [quiet], envOf(source));
      expect(code).to.equal(1);
      expect(stderr).to.match(/^The database is not empty: /m);
      expect(await contentOf(source)).to.deep.equal(content);
    });

    it('is refused if it is truncated, and leaves the database empty', async () => {
      const whole = readFileSync(quiet);
      const target = await empty();
      for (const part of [0.02, 0.5, 0.99]) {
        const file = join(folder.path, 'cut.backup');
        writeFileSync(file, whole.subarray(0, whole.length * part));
        await expectRefusal(file, target, env, /incomplete|pg_restore failed/);
      }
    });
  });
}
