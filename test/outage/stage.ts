import type { ServerResponse } from 'node:http';
import type { Context } from 'mocha';
import { Client } from 'pg';
import { migrate } from '../../src/db/migrate.ts';
import { openOrm } from '../../src/db/orm.ts';
import { ApiKeys } from '../../src/domain/api-keys/api-keys.ts';
import { SCOPES } from '../../src/domain/caller.ts';
import { ensureStore } from '../../src/domain/stores.ts';
import { type EmbeddedPostgres, openEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import { freeze } from '../support/freeze.ts';
import { databaseAt, type TestDatabase } from '../support/postgres.ts';
import { AS_PROMISED, type Ended, ServiceProcess } from '../support/process.ts';
import { TcpProxy } from '../support/proxy.ts';
import { ownRedis, type TestRedis } from '../support/redis.ts';
import { type ClusterNode, TestCluster } from '../support/redis-cluster.ts';
import { RECEIVABLE } from '../webhooks/support/merchant.ts';
import { Receiver } from '../webhooks/support/receiver.ts';
import { publishForVisits } from './automation.ts';

/** Where Postgres has its data; it is removed with the stage. */
export interface Folder {
  path: string;
  remove(): Promise<void>;
}

/** Late enough for some to be under way whenever something fails. */
const answerSoon = (response: ServerResponse) => void setTimeout(() => response.writeHead(204).end(), 100);

/** A service with a Postgres and a Redis of its own, each of which can be made to fail; between them, a network. */
export class Stage {
  readonly #folder: Folder;
  readonly postgresNetwork: TcpProxy;
  readonly redisNetwork: TcpProxy;
  /** Where webhooks go to. */
  readonly receiver: Receiver;
  /** The way to the database that no fault touches. */
  readonly database: TestDatabase;
  #postgres: EmbeddedPostgres;
  #redis: TestRedis;
  /** In place of that Redis, if there is one. */
  readonly #cluster: TestCluster | undefined;
  /** The node of it that counts the requests of the last key. */
  #counting: ClusterNode | undefined;
  #thaw: () => void = () => {};
  #services: ServiceProcess[] = [];
  /** These, and those that have ended. */
  readonly #spawned: ServiceProcess[] = [];
  #locker: Client | undefined;
  #freedPort = '0';
  #stores = 0;

  private constructor(
    folder: Folder,
    postgres: EmbeddedPostgres,
    redis: TestRedis,
    networks: [TcpProxy, TcpProxy],
    cluster: TestCluster | undefined,
    receiver: Receiver,
  ) {
    this.#folder = folder;
    this.#postgres = postgres;
    this.#redis = redis;
    this.#cluster = cluster;
    this.receiver = receiver;
    [this.postgresNetwork, this.redisNetwork] = networks;
    this.database = databaseAt(postgres.url);
  }

  /** Pending where there is no `redis-server`. A service is running. */
  static async open(test: Context, folder: Folder, { withCluster = false } = {}): Promise<Stage> {
    const redis = await ownRedis(test);
    const options = ['--cluster-require-full-coverage', 'no'];
    const cluster = withCluster ? await TestCluster.start(test, { options }) : undefined;
    const postgres = await openEmbedded(folder.path);
    await migrate(postgres.url);
    const networks = await Promise.all([TcpProxy.start(postgres.url), TcpProxy.start(redis.url)]);
    const stage = new Stage(folder, postgres, redis, networks, cluster, await Receiver.start(answerSoon));
    await stage.runServices(1);
    return stage;
  }

  async close(): Promise<void> {
    await this.runServices(0);
    await Promise.all([this.postgresNetwork.stop(), this.redisNetwork.stop()]);
    await this.#redis.stop();
    await this.#cluster?.stop();
    await this.#postgres.release();
    await this.#folder.remove();
    await this.receiver[Symbol.asyncDispose]();
  }

  /** A new store with a live automation, and a key to it. */
  async newStore(): Promise<{ storeId: string; key: string }> {
    const database = await openOrm(this.#postgres.url, 2);
    try {
      this.#stores += 1;
      const storeId = await ensureStore(database, `store-${this.#stores}`);
      const keys = new ApiKeys(database);
      const { key, record } = await keys.create({ storeId, name: 'writers', scopes: SCOPES, tier: 'standard' });
      await publishForVisits(database, storeId, record.id, this.receiver.url);
      this.#counting = this.#cluster?.masters[this.#cluster.masterOf(`key:${record.windowId}`)];
      return { storeId, key };
    } finally {
      await database.orm.close(true);
    }
  }

  /** Has so many processes of the service run: those that do, and new ones. Where they listen. */
  async runServices(count: number): Promise<string[]> {
    const surplus = this.#services.splice(count);
    await Promise.all(surplus.map((service) => service.stop()));
    while (this.#services.length < count) this.#services.push(this.#spawn('0'));
    return Promise.all(this.#services.map((service) => service.url()));
  }

  /** Whether each process of the service says that it can serve, with its Redis. */
  async isReady(): Promise<boolean> {
    const states = this.#services.map(async (service) => {
      const response = await fetch(`${await service.url()}/health/ready`);
      return response.ok && ((await response.json()) as { redis: string }).redis === 'ok';
    });
    return (await Promise.all(states)).every(Boolean);
  }

  /** The lines that the service has logged since a time. */
  logSince(time: Date): string[] {
    const lines = this.#spawned.flatMap(({ stdout }) => stdout.split('\n'));
    return lines.filter((line) => (/"time":"([^"]*)"/.exec(line)?.[1] ?? '') >= time.toISOString());
  }

  /** Ends a process of the service with a signal, and tells how it ended. */
  async endService(signal: NodeJS.Signals): Promise<Ended> {
    const service = this.#services.shift() as ServiceProcess;
    this.#freedPort = new URL(await service.url()).port;
    service.signal(signal);
    return service.ended;
  }

  /** Starts it again, where it was. */
  async restartService(): Promise<void> {
    const service = this.#spawn(this.#freedPort);
    this.#services.push(service);
    await service.url();
  }

  killPostgres(): void {
    process.kill(this.#postgres.pid, 'SIGKILL');
  }

  /** Starts it, unless it runs. */
  async restartPostgres(): Promise<void> {
    const restarted = await openEmbedded(this.#folder.path);
    await this.#postgres.release();
    this.#postgres = restarted;
  }

  async freezePostgres(): Promise<void> {
    this.#thaw = await freeze(this.#postgres);
  }

  thawPostgres(): void {
    this.#thaw();
  }

  /** Lets all transactions only read, or write again. */
  async makeReadOnly(readOnly: boolean): Promise<void> {
    await this.database.query(`alter system set default_transaction_read_only = ${readOnly}`);
    await this.database.query('select pg_reload_conf()');
  }

  /** Holds a lock that nobody can write profiles beside, or lets go of it. */
  async lockProfiles(): Promise<void> {
    this.#locker = new Client({ connectionString: this.database.url });
    await this.#locker.connect();
    await this.#locker.query('begin; lock table profile in share row exclusive mode');
  }

  async unlockProfiles(): Promise<void> {
    await this.#locker?.end();
  }

  /** Has every statement that writes profiles end as one does that has taken too long, or no longer. */
  async cancelStatements(): Promise<void> {
    await this.database.query(`
      create function take_too_long() returns trigger language plpgsql as $$ begin
        perform pg_sleep(0.3);
        raise exception 'canceling statement due to statement timeout' using errcode = 'query_canceled';
      end $$;
      create trigger take_too_long before insert or update on profile for each statement
        execute function take_too_long()`);
  }

  async letStatementsEnd(): Promise<void> {
    await this.database.query('drop function take_too_long cascade');
  }

  killRedis(): Promise<void> {
    return this.#redis.stop();
  }

  async restartRedis(): Promise<void> {
    this.#redis = await this.#redis.restart();
  }

  signalRedis(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#redis.signal(name);
  }

  /** Ends the node of the cluster that counts the requests. */
  async killMaster(): Promise<void> {
    await this.#counting?.kill();
  }

  async restartMaster(): Promise<void> {
    await this.#counting?.restart();
  }

  signalMaster(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#counting?.signal(name);
  }

  #spawn(port: string): ServiceProcess {
    const service = new ServiceProcess({
      ...AS_PROMISED,
      PORT: port,
      DATABASE_URL: this.postgresNetwork.url,
      REDIS_URL: this.#cluster?.url ?? this.redisNetwork.url,
      WORKERS: '1',
      RATE_LIMIT_TIERS: 'standard=1000000',
      LOG_LEVEL: 'warn',
      ...RECEIVABLE,
    });
    this.#spawned.push(service);
    return service;
  }
}
