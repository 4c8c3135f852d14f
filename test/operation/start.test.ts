import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { migrate } from '../../src/db/migrate.ts';
import { openEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import { Client } from '../support/client.ts';
import { createDatabase, createEmptyDatabase, databaseAt } from '../support/postgres.ts';
import { runKeys, ServiceProcess, temporaryFolder, until } from '../support/process.ts';

const EVENT = { event_type: 'placed_order', profile: { email: 'ada@example.com' } };

/** What a first start tells of what it does. */
const STEPS = /^(?:Creating the database|Bringing the schema up to date).*\n/gm;

describe('Starting the service', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let env: NodeJS.ProcessEnv;
  let running: ServiceProcess[];
  /** A data directory that nobody uses. */
  let template: typeof folder;

  before(async () => {
    template = await temporaryFolder();
    const postgres = await openEmbedded(template.path);
    await migrate(postgres.url);
    await postgres.release();
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
    env = { DATA_DIR: join(folder.path, 'data') };
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((service) => service.stop()));
    await until(() => postmaster() === undefined, 'Postgres has stopped');
    await folder.remove();
  });
  after(() => template.remove());

  /** Has the data directory hold what a first start makes, but for the key: for what is not about a first start. */
  const prepare = () => cp(template.path, env.DATA_DIR as string, { recursive: true });

  function start(settings: NodeJS.ProcessEnv = {}): ServiceProcess {
    const service = new ServiceProcess({ ...env, ...settings });
    running.push(service);
    return service;
  }

  /** The process id of the embedded Postgres, where there is one. */
  function postmaster(): number | undefined {
    const file = join(env.DATA_DIR as string, 'postgres/postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
  }

  it('creates a database and prints a working key; the next start finds all data, and prints no key', async () => {
    const first = start();
    const url = await first.url();
    const { body } = await new Client(url, first.key).post('/v1/events', { ...EVENT, idempotency_key: 'k' });
    const { code, stderr } = await first.stop();
    expect(code).to.equal(0);
    // What takes a while is told while it lasts.
    expect(stderr).to.match(
      /^Creating the database…\n(?:.*\n)*Creating the database: done in [\d.]+ s\nBringing the schema up to date \(\d+ migrations\)…\n(?:.*\n)*Bringing .* done in [\d.]+ s\n$/,
    );
    expect(postmaster()).to.equal(undefined);

    const second = start();
    const again = new Client(await second.url(), first.key);
    await until(async () => (await again.get('/health/ready')).status === 200, 'it is ready');
    expect(second.key).to.equal(undefined);
    const replay = await again.post('/v1/events', { ...EVENT, idempotency_key: 'k' }, { expect: 201 });
    expect(replay.body).to.deep.equal(body);
    expect(await second.stop()).to.include({ code: 0, stderr: '' });
  });

  if (process.platform === 'linux') {
    it('is ready for large requests once it listens', async () => {
      await prepare();
      const service = start();
      await service.url();
      const tasks = `/proc/${service.pid}/task`;
      const threads = readdirSync(tasks).map((task) => readFileSync(`${tasks}/${task}/comm`, 'utf8').trim());
      expect(threads).to.include('large requests');
    });
  }

  it('works twice at once in one data directory, while keys are created there', async () => {
    const services = [start(), start()];
    const created = await runKeys(['create', '--name', 'n', '--scopes', 'events:write', '--json'], env);
    const { key } = JSON.parse(created.stdout);
    for (const service of services) {
      await new Client(await service.url(), key).post('/v1/events', EVENT, { expect: 201 });
    }
    // The first to go leaves the database to the other.
    await services[0]?.stop();
    await new Client((await services[1]?.url()) as string, key).post('/v1/events', EVENT, { expect: 201 });
  });

  it('serves the same data from a second process by the DATABASE_URL in the data directory', async () => {
    await prepare();
    const first = start();
    await first.url();
    const databaseUrl = readFileSync(join(env.DATA_DIR as string, 'database-url'), 'utf8');
    const second = start({ DATABASE_URL: databaseUrl, DATA_DIR: '' });
    await new Client(await second.url(), first.key).post('/v1/events', EVENT, { expect: 201 });
    await second.stop();
  });

  it('adopts the Postgres of a service that was killed', async () => {
    await prepare();
    const killed = start();
    await killed.url();
    const pid = postmaster();
    killed.signal('SIGKILL');
    await killed.ended;

    const next = start();
    await new Client(await next.url(), killed.key).post('/v1/events', EVENT, { expect: 201 });
    expect(postmaster()).to.equal(pid);
  });

  it('recovers if Postgres was killed too, and another program has its process id now', async () => {
    await prepare();
    const killed = start();
    await killed.url();
    const pidFile = join(env.DATA_DIR as string, 'postgres/postmaster.pid');
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    const pid = postmaster() as number;
    killed.signal('SIGKILL');
    process.kill(pid, 'SIGKILL');
    writeFileSync(pidFile, [process.pid, ...lines.slice(1)].join('\n'));

    const next = start();
    await new Client(await next.url(), killed.key).post('/v1/events', EVENT, { expect: 201 });
  });

  it('restarts a killed Postgres, logs that, is unready meanwhile, and still stops it in the end', async () => {
    await prepare();
    const service = start();
    const client = new Client(await service.url(), service.key);
    const killed = postmaster() as number;
    // Once it has answered for the last time: what is under way fails.
    process.kill(killed, 'SIGKILL');
    await until(async () => (await client.get('/health/ready')).status === 503, 'it is unready');
    await client.get('/health/live', { expect: 200 });
    await until(async () => (await client.get('/health/ready')).status === 200, 'it is ready again');
    await client.post('/v1/events', EVENT, { expect: 201 });
    expect(postmaster()).not.to.equal(killed);
    const lines = () => service.stdout.split('\n').filter((line) => line.includes('embedded Postgres'));
    await until(() => lines().length > 1, 'it says so');
    expect(
      lines()
        .map((line) => JSON.parse(line))
        .map(({ level, msg }) => [level, msg]),
    ).to.deep.equal([
      [50, 'the embedded Postgres ended, and is started again'],
      [40, 'the embedded Postgres runs again'],
    ]);
    expect(await service.stop()).to.include({ code: 0 });
    expect(postmaster()).to.equal(undefined);
  });

  it('restarts a Postgres that is killed while it starts', async () => {
    await prepare();
    const service = start();
    const client = new Client(await service.url(), service.key);
    for (let kills = 0; kills < 2; kills += 1) {
      const killed = postmaster() as number;
      process.kill(killed, 'SIGKILL');
      await until(() => ![undefined, 0, killed].includes(postmaster()), 'it is started again');
    }
    await until(async () => (await client.get('/health/ready')).status === 200, 'it is ready again');
  });

  it('keeps data out of the log of Postgres, and bounds its size', async () => {
    await prepare();
    const log = join(env.DATA_DIR as string, 'postgres.log');
    writeFileSync(log, 'x'.repeat(2_000_000));
    const service = start();
    await service.url();
    expect(statSync(log).size).to.be.below(100_000);
    const database = databaseAt(readFileSync(join(env.DATA_DIR as string, 'database-url'), 'utf8'));
    const statements = [
      `select 'ada@example.com'::uuid`,
      `insert into store (id, name) select gen_random_uuid(), 'ada@example.com' from generate_series(1, 2)`,
      `do $$ begin raise warning 'ada@example.com'; raise log 'a line that is logged'; end $$`,
      `select pg_terminate_backend(pg_backend_pid()), 'ada@example.com'`,
    ];
    for (const statement of statements) await database.query(statement).catch(() => {});
    await until(() => readFileSync(log, 'utf8').includes('a line that is logged'), 'it is in the log');
    expect(readFileSync(log, 'utf8')).not.to.include('ada@example.com');
  });

  it('keeps the database private to its user, even in a shared directory, and with a long path', async () => {
    env.DATA_DIR = join(folder.path, 'data of a name that is far too long for a socket to be in it'.repeat(2));
    mkdirSync(env.DATA_DIR, { mode: 0o755 });
    const service = start();
    await new Client(await service.url(), service.key).post('/v1/events', EVENT, { expect: 201 });
    const pidFile = readFileSync(join(env.DATA_DIR, 'postgres/postmaster.pid'), 'utf8').split('\n');
    const [socketFolder = '', addresses] = pidFile.slice(4);
    expect(addresses).to.equal('');
    const files = readdirSync(env.DATA_DIR).map((name) => join(env.DATA_DIR as string, name));
    for (const file of [socketFolder, ...files]) expect(statSync(file).mode & 0o077, file).to.equal(0);
    await service.stop();
    expect(readdirSync(socketFolder)).to.deep.equal([]);
    rmdirSync(socketFolder);
  });

  if (process.getuid?.() === 0) {
    it('runs Postgres as root even if user namespaces are forbidden, and continues if they are not', async () => {
      writeFileSync(join(folder.path, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      const PATH = `${folder.path}:${process.env.PATH}`;
      expect(await runKeys(['create', '--name', 'n', '--scopes', 'events:write'], { ...env, PATH })).to.include({
        code: 0,
      });
      for (const settings of [env, { ...env, PATH }]) {
        expect((await runKeys(['list'], settings)).stdout).to.match(/ {2}n {2}.*\n$/);
      }
    });
  }

  it('reports that the port is taken, exits with 1, and leaves no Postgres running', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stdout, stderr } = await new ServiceProcess({ ...env, PORT: String(port) }).ended;
    server.close();
    expect([code, stdout]).to.deep.equal([1, '']);
    expect(stderr.replace(STEPS, '')).to.equal(
      `Can't listen on port ${port} of 127.0.0.1: another process listens there. Set PORT or HOST.\n`,
    );
    expect(existsSync(join(folder.path, 'data/postgres/PG_VERSION'))).to.equal(true);
    expect(postmaster()).to.equal(undefined);
  });

  it("reports that the database of DATABASE_URL can't be reached, and exits with 1", async () => {
    const { code, stderr } = await new ServiceProcess({ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d' }).ended;
    expect(code).to.equal(1);
    expect(stderr).to.equal("The database can't be used: connect ECONNREFUSED 127.0.0.1:1\n");
  });

  /** What a start that fails says, on one line or two. */
  async function refusal(settings: NodeJS.ProcessEnv): Promise<string> {
    const { code, stdout, stderr } = await start(settings).ended;
    expect([code, stdout]).to.deep.equal([1, '']);
    return stderr.replace(STEPS, '');
  }

  it("reports why a DATA_DIR can't be used, and exits with 1", async () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    expect(await refusal({ DATA_DIR: file })).to.equal(`DATA_DIR (${file}) can't be used: it is not a folder.\n`);
    const within = join(file, 'data');
    expect(await refusal({ DATA_DIR: within })).to.equal(`DATA_DIR (${within}) can't be used: it is not a folder.\n`);
  });

  it('refuses the schema of a newer version, names both, and leaves it unchanged', async () => {
    const database = await createDatabase();
    await database.query(`insert into migration (name) values ('9999-from-the-future')`);
    const [{ n }] = (await database.query(`select count(*)::int as n from migration`)) as [{ n: number }];
    expect(await refusal({ DATABASE_URL: database.url })).to.match(
      /^The database is of a newer version of Footfall: its schema is at 9999-from-the-future, and this version knows it up to 0\S+\. .*\n$/,
    );
    expect(await database.query(`select count(*)::int as n from migration`)).to.deep.equal([{ n }]);
    await database.drop();
  });

  it('explains what to grant if the user may not create tables', async () => {
    const database = await createEmptyDatabase();
    const name = `guest_${process.pid}`;
    await database.query(`create role ${name} login password 'guest'`);
    const url = Object.assign(new URL(database.url), { username: name, password: 'guest' });
    expect(await refusal({ DATABASE_URL: url.href })).to.match(/permission denied for \S+ \S+\n.* owner to .*\n$/);
    await database.drop();
    const other = await createEmptyDatabase();
    await other.query(`drop role ${name}`);
    await other.drop();
  });
});
