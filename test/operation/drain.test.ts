import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { runKeys, ServiceProcess, temporaryFolder, until } from '../support/process.ts';

const EVENT = { event_type: 'placed_order', profile: { email: 'ada@example.com' } };

describe('Stopping the service', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let url: string;
  let key: string;

  beforeEach(async () => {
    database = await createDatabase();
    const create = ['create', '--name', 'n', '--scopes', 'events:write', '--json'];
    const env = { DATABASE_URL: database.url, RATE_LIMIT_TIERS: 'standard=1000000' };
    key = JSON.parse((await runKeys(create, env)).stdout).key;
    service = new ServiceProcess(env);
    url = await service.url();
  });
  afterEach(async () => {
    await service.stop();
    await database.drop();
  });

  it('waits for the requests in flight, while /health/ready returns 503', async () => {
    const body = JSON.stringify(EVENT);
    const slow = openRequest(url, key, body.length);
    slow.write(body.slice(0, 10));
    await until(async () => (await fetch(`${url}/health/live`)).ok, 'it has read the headers');

    service.signal('SIGTERM');
    await until(async () => (await fetch(`${url}/health/ready`)).status === 503, 'it drains');
    slow.end(body.slice(10));
    const [response] = (await once(slow, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers.connection]).to.deep.equal([201, 'close']);
    expect(JSON.parse(await text(response)).event_type).to.equal('placed_order');
    expect(await service.ended).to.include({ code: 0, stderr: '' });
  });
});

describe('Stopping npm start', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder.remove());

  /** Like the first start on the machine's Node, which may be too old to become another program. */
  const OLDER = [
    process.execPath,
    '--import',
    'data:text/javascript,delete process.execve',
    'scripts/run.mjs',
    'start',
  ];

  for (const [occasion, end, command] of [
    ['a SIGTERM', (service) => service.signal('SIGTERM'), ['npm', 'start']],
    ['a SIGTERM to all of its processes', (service) => service.signalGroup('SIGTERM'), ['npm', 'start']],
    ['Ctrl-C in its terminal', (service) => service.signalGroup('SIGINT'), ['npm', 'start']],
    ['a SIGTERM on an older Node', (service) => service.signal('SIGTERM'), OLDER],
  ] as [string, (service: ServiceProcess) => void, [string, ...string[]]][]) {
    it(`with ${occasion} exits with 0, and leaves no process running`, async () => {
      const env = { DATA_DIR: join(folder.path, 'data') };
      const service = new ServiceProcess(env, command);
      const url = await service.url();
      end(service);
      expect(await service.ended).to.include({ code: 0, signal: null });
      expect(service.stdout).to.contain('"msg":"stopped"');
      expect(await fetch(url).catch(() => 'refused')).to.equal('refused');
      expect(existsSync(join(env.DATA_DIR, 'postgres/postmaster.pid'))).to.equal(false);
    });
  }
});

/** A request whose body is still to come, on a connection that would stay open. */
function openRequest(url: string, key: string, length: number): ClientRequest {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': length };
  const agent = new Agent({ keepAlive: true });
  return request(`${url}/v1/events`, { method: 'POST', headers, agent });
}
