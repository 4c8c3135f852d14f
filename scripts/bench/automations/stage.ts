import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type OrmDatabase, openOrm, type Sql } from '../../../src/db/orm.ts';
import { ApiKeys } from '../../../src/domain/api-keys/api-keys.ts';
import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';
import { createAutomation } from '../../../src/domain/automations/drafts.ts';
import { publishAutomation } from '../../../src/domain/automations/publish.ts';
import { SCOPES } from '../../../src/domain/caller.ts';
import { ensureStore } from '../../../src/domain/stores.ts';
import { newId } from '../../../src/ids/uuid-v7.ts';
import { type BenchDatabase, openBenchDatabase } from '../database.ts';
import { type Started, start, treeUsage } from '../processes.ts';
import { ROOT } from '../service.ts';

export interface Store {
  id: string;
  key: string;
}

/** A database of its own, which notes when transactions were committed. */
export class Stage {
  readonly database: BenchDatabase;
  readonly #own: OrmDatabase;

  private constructor(database: BenchDatabase, own: OrmDatabase) {
    this.database = database;
    this.#own = own;
  }

  static async open(): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'footfall-bench-'));
    const before = await openBenchDatabase(folder);
    await sql`alter system set track_commit_timestamp = on`.execute(before.sql);
    await before.close();
    const database = await openBenchDatabase(folder);
    return new Stage(database, await openOrm(database.url, 2, {}));
  }

  get sql(): Sql {
    return this.database.sql;
  }

  async close(): Promise<void> {
    await this.#own.close();
    await this.database.close();
    await rm(this.database.folder, { recursive: true, force: true });
  }

  async newStore(): Promise<Store> {
    const name = randomUUID();
    const id = await ensureStore(this.#own, name);
    const { key } = await new ApiKeys(this.#own).create({ storeId: id, name, scopes: [...SCOPES], tier: 'partner' });
    return { id, key };
  }

  /** Publishes an automation, and returns its id. */
  async publish({ id: storeId }: Store, definition: Definition): Promise<string> {
    const caller = {
      storeId,
      actor: { kind: 'key' as const, id: newId() },
      windowId: newId(),
      scopes: new Set<string>(SCOPES),
      tier: 'partner',
      expiresAt: null,
      country: null,
      keepsHistory: false,
    };
    const { id, revision } = await createAutomation(this.#own.sql, caller, definition);
    await publishAutomation(this.#own.sql, caller, { id, revision, inFlight: 'keep' });
    return id;
  }

  /** Starts processes that do nothing but work on automations and webhooks. */
  async startWorkers(count: number, settings: NodeJS.ProcessEnv = {}): Promise<Started[]> {
    const env = { DATABASE_URL: this.database.url, WORKER_CONCURRENCY: '0', ...settings };
    const ready = /processing bulk jobs/;
    return await Promise.all(
      Array.from({ length: count }, () => start('npm', ['run', '-s', 'worker'], { env, cwd: ROOT, ready })),
    );
  }

  /** Returns the CPU seconds that Postgres has used so far. */
  async databaseCpu(): Promise<number> {
    const [pid] = (await readFile(join(this.database.folder, 'postgres/postmaster.pid'), 'utf8')).split('\n');
    return treeUsage(Number(pid));
  }

  /** Waits until nothing is left to read or to do for a store. */
  async untilIdle({ id }: Store): Promise<void> {
    for (;;) {
      const { rows } = await sql<{ busy: boolean }>`
        select exists (
            select from addition a join feed_reader r using (store_id)
            where a.store_id = ${id} and (a.position is null or a.position > r.entry)
          ) or exists (
            select from automation_run where store_id = ${id} and status = 'active' and due_at <= now()
          ) as busy`.execute(this.sql);
      if (!rows[0]?.busy) return;
      await sleep(50);
    }
  }
}
