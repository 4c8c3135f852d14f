import { expect } from 'chai';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';
import { openMailbox, openPhones, type Sink } from './support/sinks.ts';

const ENV = {
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_ALLOW_HTTP: '1',
  PUBLIC_URL: 'https://mail.shop.example',
};
const COUNT = 40;

describe('While e-mails are sent', () => suite(openMailbox));
describe('While text messages are sent', () => suite(openPhones));

function suite(openSink: () => Promise<Sink>): void {
  let database: TestDatabase;
  /** Sends nothing itself. */
  let service: TestService;
  let shop: Shop;
  let sink: Sink;

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ ...ENV, MESSAGE_CONCURRENCY: '0' }, database);
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    sink = await openSink();
  });
  afterEach(() => sink[Symbol.asyncDispose]());
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
  async function queue(kind: 'marketing' | 'transactional'): Promise<void> {
    const template = await shop.template({ ...sink.template, class: kind });
    const sender = await sink.sender(shop, { max_concurrent: 5 });
    for (let i = 0; i < COUNT; i += 1) {
      await shop.customer(sink.addressOf(i));
      await shop.send(template, sink.addressOf(i), { sender_id: sender });
    }
  }

  /** How often each address got a message. */
  function arrivals(): number[] {
    return [...Map.groupBy(sink.taken, (address) => address).values()].map(({ length }) => length);
  }

  it('a kill leaves no marketing message twice, and what it cut is unknown', async () => {
    await queue('marketing');
    // It has the whole message, and does not say so.
    sink.silentFrom = 11;
    const killed = startSender();
    await until(async () => sink.taken.length >= 15, 'some have arrived');
    await kill(killed);
    sink.silentFrom = Number.POSITIVE_INFINITY;
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
    await queue('transactional');
    sink.silentFrom = 11;
    const killed = startSender();
    await until(async () => sink.taken.length >= 15, 'some have arrived');
    await kill(killed);
    sink.silentFrom = Number.POSITIVE_INFINITY;
    await endLeases();
    const last = startSender();
    await untilEnded();
    await last.stop();
    expect(await counts()).to.deep.equal({ sent: COUNT });
    expect(arrivals()).to.have.length(COUNT);
  });

  it('two processes share the work, and send nothing twice', async () => {
    await queue('marketing');
    const both = [startSender(), startSender()];
    await untilEnded();
    await Promise.all(both.map((one) => one.stop()));
    expect(await counts()).to.deep.equal({ sent: COUNT });
    expect(arrivals()).to.deep.equal(Array.from({ length: COUNT }, () => 1));
  });

  it('a process that is told to stop finishes what it has begun', async () => {
    await queue('marketing');
    const stopped = startSender();
    await until(async () => sink.taken.length >= 3, 'some have arrived');
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
}
