import { expect } from 'chai';
import { ScriptedServer } from '../senders/support/scripted-server.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { SOAK_ROUNDS } from '../support/sample.ts';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

const ENV = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', PUBLIC_URL: 'https://mail.shop.example' };
/** Rounds in which two processes are killed, one after the other; messages for each, and one in ten is transactional. */
const ROUNDS = SOAK_ROUNDS > 0 ? 5 * SOAK_ROUNDS : 2;
const COUNT = 400 * ROUNDS;
/** Messages after which the next process is killed, at most. */
const MOST_BETWEEN = 300;
/**
 * Messages under way of the sender, and of each process: more than two of them may have, as what a killed process had takes
 * its room until its lease ends.
 */
const [MAX_CONCURRENT, OF_PROCESS] = [100, 40];
const MESSAGE_ID = /^Message-ID: <([^@>]+)@/m;

describe('Processes that are killed at random while they send', () => {
  let database: TestDatabase;
  /** Sends nothing itself. */
  let service: TestService;
  let shop: Shop;
  let relay: ScriptedServer;
  const running = new Set<ServiceProcess>();

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ ...ENV, MESSAGE_CONCURRENCY: '0' }, database);
    shop = await Shop.open(service);
    relay = await ScriptedServer.start();
  });
  after(async () => {
    for (const one of running) await kill(one);
    await relay[Symbol.asyncDispose]();
    await service.stop();
  });

  function start(): ServiceProcess {
    const settings = { DATABASE_URL: database.url, WORKER_CONCURRENCY: '0', AUTOMATION_CONCURRENCY: '0' };
    const own = { MESSAGE_CONCURRENCY: String(OF_PROCESS), LOG_LEVEL: 'silent' };
    const one = new ServiceProcess({ ...ENV, ...settings, ...own });
    running.add(one);
    return one;
  }

  async function kill(one: ServiceProcess): Promise<void> {
    one.signal('SIGKILL');
    await one.ended;
    running.delete(one);
  }

  const count = async (condition: string): Promise<number> => {
    const [{ n }] = await shop.query(
      `select count(*)::int as n from message where store_id = '${shop.storeId}' and ${condition}`,
    );
    return n;
  };
  const areTaken = async () => (await count(`status = 'waiting'`)) === 0;
  const hasEnded = async () => (await count(`status in ('waiting', 'claimed', 'sending')`)) === 0;

  /** Waits until so many more are at the relay, or none is left but those that a process has, perhaps one that is gone. */
  async function untilFurther(messages: number): Promise<void> {
    const enough = relay.messages.length + messages;
    await until(async () => relay.messages.length >= enough || (await areTaken()), 'some more are at the relay');
  }

  it('send no marketing twice, lose nothing, and leave as unknown no more than was on its way', async () => {
    const template = await shop.template();
    const sender = await shop.relay(relay.port, { max_concurrent: MAX_CONCURRENT });
    await shop.query(messagesOf(shop.storeId, sender, template));
    const random = numbers(41);
    let [kills, onTheirWay] = [0, 0];
    for (let round = 0; round < ROUNDS && !(await hasEnded()); round += 1) {
      const both = [start(), start()];
      await untilFurther(1);
      for (const one of random() < 0.5 ? both : both.toReversed()) {
        await untilFurther(Math.floor(random() * MOST_BETWEEN));
        await kill(one);
        kills += 1;
      }
      // Those of rounds before, whose leases have ended, may wait for their turn yet.
      const sending = await count(`status = 'sending' and due_at > now()`);
      expect(sending).to.be.at.most(2 * OF_PROCESS);
      onTheirWay += sending;
      // What they had is taken over, without waiting for the end of their leases.
      await shop.query(`
        update message set due_at = now()
        where store_id = '${shop.storeId}' and status in ('claimed', 'sending') and due_at > now()`);
    }
    const last = start();
    await until(hasEnded, 'all have ended');
    await last.stop();
    running.delete(last);

    const arrivals = new Map<string, number>();
    for (const message of relay.messages) {
      const id = MESSAGE_ID.exec(message)?.[1] ?? '';
      arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
    }
    const rows: { id: string; class: string; status: string }[] = await shop.query(
      `select id, class, status from message where store_id = '${shop.storeId}'`,
    );
    const unknown = rows.filter(({ status }) => status === 'unknown');
    const twice = rows.filter(({ id }) => (arrivals.get(id) ?? 0) > 1);
    const figures = { kills, messages: rows.length, unknown: unknown.length, repeated: twice.length, onTheirWay };
    if (SOAK_ROUNDS > 0) console.log(figures);
    expect(rows).to.have.length(COUNT);
    expect(rows.filter(({ status }) => status !== 'sent' && status !== 'unknown')).to.deep.equal([]);
    expect(twice.filter((row) => row.class === 'marketing')).to.deep.equal([]);
    expect(rows.filter(({ id, status }) => status === 'sent' && !arrivals.has(id))).to.deep.equal([]);
    expect(unknown.filter((row) => row.class !== 'marketing')).to.deep.equal([]);
    expect(unknown.length + twice.length).to.be.at.most(onTheirWay);
  }).timeout(0);
});

/** Numbers from 0 to below 1 that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function messagesOf(storeId: string, senderId: string, templateId: string): string {
  return `
    with customer as materialized (
      select n, uuidv7() as id from generate_series(1, ${COUNT}) n
    ), known as (
      insert into profile (store_id, id, email, attributes, created_at, updated_at)
      select '${storeId}', id, format('c%s@example.com', n), '{"first_name": "Ada"}', now(), now() from customer
    ), subscribed as (
      insert into consent (store_id, profile_id, channel, status, changed_at)
      select '${storeId}', id, 'email', 'subscribed', now() from customer
    )
    insert into message (store_id, id, profile_id, sender_id, template_id, template_version, channel, class, source,
      status, context, created_at, due_at)
    select '${storeId}', uuidv7(), id, '${senderId}', '${templateId}', 1, 'email',
      case when n % 10 = 0 then 'transactional' else 'marketing' end, 'request', 'waiting',
      '{"data":{},"event":null}', now(), now()
    from customer`;
}
