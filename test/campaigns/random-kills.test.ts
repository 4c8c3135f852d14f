import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { migrate } from '../../src/db/migrate.ts';
import { type EmbeddedPostgres, openEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import { ScriptedServer } from '../senders/support/scripted-server.ts';
import { databaseAt } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { numbersFrom, SOAK_ROUNDS } from '../support/sample.ts';
import { TestService } from '../support/service.ts';
import { Campaigns } from './support/campaigns.ts';

const ENV = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', PUBLIC_URL: 'https://mail.shop.example' };
/** Rounds in which Postgres and two processes are killed, one after the other. */
const ROUNDS = SOAK_ROUNDS > 0 ? 5 * SOAK_ROUNDS : 1;
/** Members of the list, a million with SOAK_ROUNDS=10; one in ten has not subscribed. */
const MEMBERS = SOAK_ROUNDS > 0 ? 100_000 * SOAK_ROUNDS : 1_000;
/** Messages after which the next one is killed, at most. */
const MOST_BETWEEN = Math.floor(MEMBERS / ROUNDS / 4);
/** Messages under way of the sender, and of each process. */
const [MAX_CONCURRENT, OF_PROCESS] = [100, 40];
const MESSAGE_ID = /^Message-ID: <([^@>]+)@/m;

describe('A campaign whose processes and whose Postgres are killed at random', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  /** Neither finds recipients nor sends. */
  let service: TestService;
  let campaigns: Campaigns;
  let relay: ScriptedServer;
  const running = new Set<ServiceProcess>();
  /** How often each message came to the relay. */
  const arrivals = new Map<string, number>();
  let arrived = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footfall-test-'));
    postgres = await openEmbedded(folder);
    await migrate(postgres.url);
    service = await TestService.start({ ...ENV, MESSAGE_CONCURRENCY: '0' }, databaseAt(postgres.url));
    campaigns = await Campaigns.open(service);
    relay = await ScriptedServer.start();
  });
  after(async () => {
    for (const one of running) await kill(one);
    await relay?.[Symbol.asyncDispose]();
    await service?.stop();
    await postgres?.release();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  function start(): ServiceProcess {
    const settings = { DATABASE_URL: postgres.url, WORKER_CONCURRENCY: '0', AUTOMATION_CONCURRENCY: '0' };
    const one = new ServiceProcess({ ...ENV, ...settings, MESSAGE_CONCURRENCY: `${OF_PROCESS}`, LOG_LEVEL: 'silent' });
    running.add(one);
    return one;
  }

  async function kill(one: ServiceProcess): Promise<void> {
    one.signal('SIGKILL');
    await one.ended;
    running.delete(one);
  }

  async function killPostgres(): Promise<void> {
    process.kill(postgres.pid, 'SIGKILL');
    const restarted = await openEmbedded(folder);
    await postgres.release();
    postgres = restarted;
  }

  /** What is at the relay is counted, and not kept. */
  function count(): number {
    relay.verbs.length = 0;
    for (const message of relay.messages.splice(0)) {
      const id = MESSAGE_ID.exec(message)?.[1] ?? '';
      arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
      arrived += 1;
    }
    return arrived;
  }

  const those = async (condition: string): Promise<number> => {
    const [{ n }] = await campaigns.shop.query(
      `select count(*)::int as n from message where store_id = '${campaigns.shop.storeId}' and ${condition}`,
    );
    return n;
  };

  async function isSent(): Promise<boolean> {
    const [{ status }] = await campaigns.shop.query(
      `select status from campaign where store_id = '${campaigns.shop.storeId}'`,
    );
    return status === 'sent';
  }

  /** Waits until so many more are at the relay, or none is left but those that a process has, perhaps one that is gone. */
  async function untilFurther(messages: number): Promise<void> {
    const enough = count() + messages;
    const areTaken = async () => (await those('true')) > 0 && (await those(`status = 'waiting'`)) === 0;
    await until(async () => count() >= enough || (await areTaken()), 'some more are at the relay');
  }

  it('reaches each recipient once or not at all, and says of each what is known', async () => {
    const { shop } = campaigns;
    const list = await campaigns.list();
    await campaigns.crowd(list, MEMBERS);
    await shop.query(`
      insert into consent (store_id, profile_id, channel, status, changed_at)
      select store_id, profile_id, 'email', 'subscribed', now() from (
        select *, row_number() over (order by profile_id) as n from list_member where list_id = '${list}'
      ) m where n % 10 <> 0`);
    const sender_id = await shop.relay(relay.port, { max_concurrent: MAX_CONCURRENT });
    const id = await campaigns.draft(list, { sender_id });
    await campaigns.schedule(id);

    const random = numbersFrom(43);
    let [kills, onTheirWay] = [0, 0];
    for (let round = 0; round < ROUNDS && !(await isSent()); round += 1) {
      const both = [start(), start()];
      await untilFurther(1);
      const victims = [killPostgres, ...both.map((one) => () => kill(one))];
      while (victims.length > 0) {
        await untilFurther(random(MOST_BETWEEN));
        const [victim] = victims.splice(random(victims.length), 1);
        await victim?.();
        kills += 1;
      }
      onTheirWay += await those(`status = 'sending' and due_at > now()`);
      // What they had is taken over, without waiting for the end of their leases.
      await shop.query(`update message set due_at = now() where status in ('claimed', 'sending') and due_at > now()`);
    }
    const last = start();
    await until(async () => {
      count();
      return await isSent();
    }, 'the campaign is over');
    await last.stop();
    running.delete(last);
    count();

    const rows: { id: string; profile: string; status: string; reason: string | null }[] = await shop.query(
      `select id, profile_id as profile, status, reason from message where source_id = '${id}'`,
    );
    const of = (status: string) => rows.filter((row) => row.status === status);
    const figures = { kills, recipients: rows.length, unknown: of('unknown').length, onTheirWay };
    if (SOAK_ROUNDS > 0) console.log(figures);
    expect(rows).to.have.length(MEMBERS);
    expect(new Set(rows.map(({ profile }) => profile)).size).to.equal(MEMBERS);
    expect([...arrivals.values()].filter((times) => times > 1)).to.deep.equal([]);
    expect(of('sent').filter((row) => !arrivals.has(row.id))).to.deep.equal([]);
    expect(of('skipped').filter((row) => arrivals.has(row.id))).to.deep.equal([]);
    expect(of('skipped').length).to.equal(MEMBERS / 10);
    expect(of('sent').length + of('unknown').length).to.equal(MEMBERS - MEMBERS / 10);
    expect(of('unknown').length).to.be.at.most(onTheirWay);
    // What its results say adds up to its recipients, too.
    const counts = await campaigns.counts(id);
    expect(counts.sent).to.equal(of('sent').length);
  }).timeout(0);
});
