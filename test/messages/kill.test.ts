import { expect } from 'chai';
import { type Connection, ScriptedServer } from '../senders/support/scripted-server.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

const ENV = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', PUBLIC_URL: 'https://mail.shop.example' };
const COUNT = 40;
const ADDRESS = /^To: (\S+)/m;

describe('While messages are sent', () => {
  let database: TestDatabase;
  /** Sends nothing itself. */
  let service: TestService;
  let shop: Shop;
  let relay: ScriptedServer;
  /** Answers the end of a message, if it does not as usual. */
  let answer: (connection: Connection) => string | undefined | null;

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ ...ENV, MESSAGE_CONCURRENCY: '0' }, database);
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    answer = () => undefined;
    relay = await ScriptedServer.start((verb, _, connection) => (verb === '.' ? answer(connection) : undefined));
  });
  afterEach(() => relay[Symbol.asyncDispose]());
  after(() => service.stop());

  const startSender = () =>
    new ServiceProcess({ ...ENV, DATABASE_URL: database.url, WORKER_CONCURRENCY: '0', LOG_LEVEL: 'silent' });
  const kill = async (process: ServiceProcess) => {
    process.signal('SIGKILL');
    await process.ended;
  };
  /** What a process had taken is taken over, without waiting for the end of its lease. */
  const endLeases = () =>
    shop.query(`
      update message set due_at = now() where store_id = '${shop.storeId}' and status in ('claimed', 'sending')`);
  const counts = async () => {
    const rows = await shop.query(`
      select status, count(*)::int as count from message where store_id = '${shop.storeId}' group by status`);
    return Object.fromEntries(rows.map(({ status, count }) => [status, count])) as Record<string, number>;
  };
  const untilEnded = () =>
    until(async () => {
      const { waiting = 0, claimed = 0, sending = 0 } = await counts();
      return waiting + claimed + sending === 0;
    }, 'all have ended');

  /** Queues messages to as many customers. */
  async function queue(template: string): Promise<void> {
    const sender = await shop.relay(relay.port, { max_concurrent: 5 });
    for (let i = 0; i < COUNT; i += 1) {
      await shop.customer(`customer-${i}@shop.example`);
      await shop.send(template, `customer-${i}@shop.example`, { sender_id: sender });
    }
  }

  /** How often each address got a message. */
  function arrivals(): number[] {
    const times = new Map<string, number>();
    for (const message of relay.messages) {
      const [, address = ''] = ADDRESS.exec(message) ?? [];
      times.set(address, (times.get(address) ?? 0) + 1);
    }
    return [...times.values()];
  }

  it('a kill leaves no marketing message twice, and what it cut is unknown', async () => {
    await queue(await shop.template());
    // The relay has the whole message, and does not say so.
    answer = () => (relay.messages.length > 10 ? null : undefined);
    const killed = startSender();
    await until(async () => relay.messages.length >= 15, 'some are at the relay');
    await kill(killed);
    answer = () => undefined;
    await endLeases();
    const last = startSender();
    await untilEnded();
    await last.stop();
    const { sent = 0, unknown = 0 } = await counts();
    expect(sent + unknown).to.equal(COUNT);
    expect(unknown).to.be.within(5, 64);
    expect(arrivals().filter((times) => times > 1)).to.deep.equal([]);
  });

  it('a kill loses no transactional message', async () => {
    await queue(await shop.template({ class: 'transactional', body: '<p>Receipt</p>' }));
    answer = () => (relay.messages.length > 10 ? null : undefined);
    const killed = startSender();
    await until(async () => relay.messages.length >= 15, 'some are at the relay');
    await kill(killed);
    answer = () => undefined;
    await endLeases();
    const last = startSender();
    await untilEnded();
    await last.stop();
    expect(await counts()).to.deep.equal({ sent: COUNT });
    expect(arrivals()).to.have.length(COUNT);
  });

  it('two processes share the work, and send nothing twice', async () => {
    await queue(await shop.template());
    const both = [startSender(), startSender()];
    await untilEnded();
    await Promise.all(both.map((one) => one.stop()));
    expect(await counts()).to.deep.equal({ sent: COUNT });
    expect(arrivals()).to.deep.equal(Array.from({ length: COUNT }, () => 1));
  });

  it('a process that is told to stop finishes what it has begun', async () => {
    await queue(await shop.template());
    const stopped = startSender();
    await until(async () => relay.messages.length >= 3, 'some are at the relay');
    await stopped.stop();
    const { unknown = 0, sending = 0, ...others } = await counts();
    expect({ unknown, sending }).to.deep.equal({ unknown: 0, sending: 0 });
    expect(others.sent).to.be.at.least(3);
    await endLeases();
    const last = startSender();
    await untilEnded();
    await last.stop();
    expect(arrivals().filter((times) => times > 1)).to.deep.equal([]);
  });
});
