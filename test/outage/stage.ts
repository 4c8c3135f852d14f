import type { Context } from 'mocha';
import { type EmbeddedPostgres, openEmbedded } from '../../src/db/embedded.ts';
import { migrate, openDatabase } from '../../src/db/orm.ts';
import { ApiKeys, SCOPES } from '../../src/domain/api-keys.ts';
import { ensureStore } from '../../src/domain/stores.ts';
import { freeze } from '../support/freeze.ts';
import { databaseAt, type TestDatabase } from '../support/postgres.ts';
import { type Ended, ServiceProcess } from '../support/process.ts';
import { TcpProxy } from '../support/proxy.ts';
import { ownRedis, type TestRedis } from '../support/redis.ts';

/** Where Postgres has its data; it is removed with the stage. */
export interface Folder {
  path: string;
  remove(): Promise<void>;
}

/** A service with a Postgres and a Redis of its own, each of which can be made to fail; between them, a network. */
export class Stage {
  readonly #folder: Folder;
  readonly postgresNetwork: TcpProxy;
  readonly redisNetwork: TcpProxy;
  /** The way to the database that no fault touches. */
  readonly database: TestDatabase;
  #postgres: EmbeddedPostgres;
  #redis: TestRedis;
  #thaw: () => void = () => {};
  #services: ServiceProcess[] = [];
  /** These, and those that have ended. */
  readonly #spawned: ServiceProcess[] = [];
  #freedPort = '0';
  #stores = 0;

  private constructor(folder: Folder, postgres: EmbeddedPostgres, redis: TestRedis, networks: [TcpProxy, TcpProxy]) {
    this.#folder = folder;
    this.#postgres = postgres;
    this.#redis = redis;
    [this.postgresNetwork, this.redisNetwork] = networks;
    this.database = databaseAt(postgres.url);
  }

  /** Pending where there is no `redis-server`. A service is running. */
  static async open(test: Context, folder: Folder): Promise<Stage> {
    const redis = await ownRedis(test);
    const postgres = await openEmbedded(folder.path);
    await migrate(postgres.url);
    const networks = await Promise.all([TcpProxy.start(postgres.url), TcpProxy.start(redis.url)]);
    const stage = new Stage(folder, postgres, redis, networks);
    await stage.runServices(1);
    return stage;
  }

  async close(): Promise<void> {
    await this.runServices(0);
    await Promise.all([this.postgresNetwork.stop(), this.redisNetwork.stop()]);
    await this.#redis.stop();
    await this.#postgres.release();
    await this.#folder.remove();
  }

  /** A new store, and a key to it. */
  async newStore(): Promise<{ storeId: string; key: string }> {
    const database = await openDatabase(this.#postgres.url, 2);
    try {
      this.#stores += 1;
      const storeId = await ensureStore(database, `store-${this.#stores}`);
      const keys = new ApiKeys(database);
      const { key } = await keys.create({ storeId, name: 'writers', scopes: SCOPES, tier: 'standard' });
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

  killRedis(): Promise<void> {
    return this.#redis.stop();
  }

  async restartRedis(): Promise<void> {
    this.#redis = await this.#redis.restart();
  }

  signalRedis(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#redis.signal(name);
  }

  #spawn(port: string): ServiceProcess {
    const service = new ServiceProcess({
      PORT: port,
      DATABASE_URL: this.postgresNetwork.url,
      REDIS_URL: this.redisNetwork.url,
      WORKERS: '1',
      RATE_LIMIT_TIERS: 'standard=1000000',
      LOG_LEVEL: 'warn',
    });
    this.#spawned.push(service);
    return service;
  }
}
