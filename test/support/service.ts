import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { readConfig } from '../../src/config.ts';
import { type OrmDatabase, openOrm } from '../../src/db/orm.ts';
import { ApiKeys, type NewApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { SCOPES } from '../../src/domain/caller.ts';
import { ensureStore } from '../../src/domain/stores.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import { createLog } from '../../src/process/log.ts';
import { type StartOptions, startService } from '../../src/service.ts';
import { Client } from './client.ts';
import { createDatabase, type TestDatabase } from './postgres.ts';
import { UNHURRIED } from './process.ts';
import { pairWithPublicKey } from './public-keys.ts';
import type { FromService } from './service-thread.ts';
import { collectStandstill } from './standstills.ts';

interface Service {
  url: string;
  keys: ApiKeys;
  database: OrmDatabase;
  stop(): Promise<void>;
}

/** A running service with a database of its own. */
export class TestService {
  readonly url: string;
  readonly database: TestDatabase;
  readonly keys: ApiKeys;
  readonly #service: Service;

  private constructor(service: Service, database: TestDatabase) {
    this.#service = service;
    this.url = service.url;
    this.keys = service.keys;
    this.database = database;
  }

  /** `env` as in the README's *Configuration*. Pass a database to have several services on it. */
  static async start(
    env: NodeJS.ProcessEnv = {},
    database?: TestDatabase,
    options: StartOptions = {},
  ): Promise<TestService> {
    const own = database ?? (await createDatabase());
    const config = readConfig(environment(own, env));
    return new TestService(await startService(config, createLog(config.logLevel), options), own);
  }

  /** Starts it in a thread of its own: a test fails in which it stands still. */
  static async startInThread(env: NodeJS.ProcessEnv = {}, database?: TestDatabase): Promise<TestService> {
    const own = database ?? (await createDatabase());
    return new TestService(await startThread(environment(own, env), own), own);
  }

  /** The id of a new, empty store; of that with a name, which may be there already. Thousands of tests begin with one. */
  async newStore(name?: string): Promise<string> {
    if (name !== undefined) return ensureStore(this.#service.database, name);
    const id = newId();
    await this.#service.database.sql
      .insertInto('store')
      .values({ id, name: `store-${id}` })
      .execute();
    return id;
  }

  /** A key, by default with every scope, in a store of its own, at a tier that no test exhausts by accident. */
  async newKey(options: Partial<NewApiKey> = {}): Promise<{ id: string; key: string; storeId: string }> {
    const storeId = options.storeId ?? (await this.newStore());
    const input: NewApiKey = { name: 'test', scopes: SCOPES, tier: 'partner', ...options, storeId };
    const { record, key } = await this.keys.create(input);
    pairWithPublicKey(key, input, (one) => this.keys.create(one));
    return { id: record.id, key, storeId };
  }

  /** A client with such a key. */
  async client(options: Partial<NewApiKey> = {}): Promise<Client> {
    return new Client(this.url, (await this.newKey(options)).key);
  }

  async stop(): Promise<void> {
    await this.stopService();
    await this.database.drop();
  }

  /** Stops the service and leaves its database to others. */
  async stopService(): Promise<void> {
    await this.#service.stop();
  }
}

function environment({ url }: TestDatabase, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: url, ...UNHURRIED, ...env };
}

async function startThread(env: NodeJS.ProcessEnv, { address }: TestDatabase): Promise<Service> {
  const worker = new Worker(new URL('./service-thread.ts', import.meta.url), { workerData: env });
  const started = Promise.withResolvers<string>();
  worker.on('error', started.reject);
  worker.on('message', (message: FromService) => {
    if ('url' in message) started.resolve(message.url);
    else collectStandstill(message.standstill);
  });
  const url = await started.promise;
  const database = await openOrm(address, 2);
  return {
    url,
    database,
    keys: new ApiKeys(database),
    stop: async () => {
      await database.close();
      const ended = once(worker, 'exit');
      worker.postMessage('stop');
      await ended;
    },
  };
}
