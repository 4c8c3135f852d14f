import { type Config, readConfig } from '../../src/config.ts';
import type { ApiKeys, NewApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { SCOPES } from '../../src/domain/caller.ts';
import { ensureStore } from '../../src/domain/stores.ts';
import { createLog } from '../../src/process/log.ts';
import { type Service, startService } from '../../src/service.ts';
import { Client } from './client.ts';
import { createDatabase, type TestDatabase } from './postgres.ts';
import { pairWithPublicKey } from './public-keys.ts';
import { withoutStandstills } from './standstills.ts';

let stores = 0;

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
  static async start(env: NodeJS.ProcessEnv = {}, database?: TestDatabase): Promise<TestService> {
    const own = database ?? (await createDatabase());
    const config: Config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: own.url, ...env });
    const service = await withoutStandstills(() => startService(config, createLog(config.logLevel)));
    return new TestService(service, own);
  }

  /** The id of a new, empty store. */
  async newStore(name = `store-${++stores}-${Math.random()}`): Promise<string> {
    return ensureStore(this.#service.database, name);
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
