import { Client } from './client.ts';
import { createDatabase, type TestDatabase } from './postgres.ts';
import { ServiceProcess } from './process.ts';

/** Two processes of the service on one database and one Redis. */
export class Pair {
  readonly database: TestDatabase;
  /** One client for each, with the standard key that the first start prints. */
  readonly #clients: readonly [Client, Client];
  readonly #processes: readonly ServiceProcess[];

  private constructor(
    database: TestDatabase,
    processes: readonly ServiceProcess[],
    clients: readonly [Client, Client],
  ) {
    this.database = database;
    this.#clients = clients;
    this.#processes = processes;
  }

  static async start(redisUrl: string): Promise<Pair> {
    const database = await createDatabase();
    const env = { DATABASE_URL: database.url, REDIS_URL: redisUrl, WORKERS: '1', LOG_LEVEL: 'silent' };
    const first = new ServiceProcess(env);
    const one = await first.url();
    const second = new ServiceProcess(env);
    const other = await second.url();
    return new Pair(database, [first, second], [new Client(one, first.key), new Client(other, first.key)]);
  }

  /** The client of either process, in turn. */
  client(n: number): Client {
    return this.#clients[n % 2] as Client;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.stop()));
    await this.database.drop();
  }
}
