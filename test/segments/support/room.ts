import { type Database, openDatabase, SETTINGS_OF_ENGINES, type Sql } from '../../../src/db/orm.ts';
import { assignAllPositions } from '../../../src/domain/feed/positions.ts';
import { BatchSize, narrowed } from '../../../src/domain/segments/engine/batch-size.ts';
import { buildRange } from '../../../src/domain/segments/engine/build.ts';
import { rebuildExpired } from '../../../src/domain/segments/engine/find-expired.ts';
import { GenerationCache } from '../../../src/domain/segments/engine/generations.ts';
import { MAX_PROFILES, takePostponed } from '../../../src/domain/segments/engine/postponed.ts';
import { readChanges } from '../../../src/domain/segments/engine/read-changes.ts';
import { sweep } from '../../../src/domain/segments/engine/sweep.ts';
import { takeDue } from '../../../src/domain/segments/engine/take-due.ts';
import type { SegmentTools } from '../../../src/domain/segments/engine/tools.ts';
import { WorkCount } from '../../../src/domain/segments/engine/work.ts';
import { OutOfTime } from '../../../src/domain/segments/evaluate.ts';
import { createLog } from '../../../src/process/log.ts';
import { Client } from '../../support/client.ts';
import { TestService } from '../../support/service.ts';
import { disturbed, type OnStatement } from './disturbed.ts';

/** A store whose segments do nothing by themselves: tests move them on, with a clock of their own. */
export class SegmentRoom {
  readonly service: TestService;
  readonly client: Client;
  readonly storeId: string;
  readonly #database: Database;
  /** What happens as statements of segments are run. */
  onStatement: OnStatement | undefined;
  readonly #batch = new BatchSize(MAX_PROFILES);
  /** Milliseconds by which its clock is ahead. */
  #ahead = 0;
  readonly tools: SegmentTools = {
    generations: new GenerationCache(),
    log: createLog('silent'),
    work: new WorkCount(),
    now: () => Date.now() + this.#ahead,
  };

  private constructor(service: TestService, database: Database, key: { key: string; storeId: string }) {
    this.service = service;
    this.#database = database;
    this.client = new Client(service.url, key.key);
    this.storeId = key.storeId;
  }

  static async open(): Promise<SegmentRoom> {
    const service = await TestService.start({ AUTOMATION_CONCURRENCY: '0' });
    const database = await openDatabase(service.database.address, 8, SETTINGS_OF_ENGINES);
    return new SegmentRoom(service, database, await service.newKey());
  }

  async close(): Promise<void> {
    await this.#database.close();
    await this.service.stop();
  }

  /** The same service and database, with a new store. */
  async newStore(): Promise<SegmentRoom> {
    return new SegmentRoom(this.service, this.#database, await this.service.newKey());
  }

  get db(): Sql {
    const db = this.#database.stores.of(this.storeId);
    return this.onStatement ? disturbed(db, this.onStatement) : db;
  }

  /** Milliseconds. */
  get now(): number {
    return this.tools.now();
  }

  pass(ms: number): void {
    this.#ahead += ms;
  }

  async create(definition: object, name = 'Test', expect = 201): Promise<any> {
    return (await this.client.post('/v1/segments', { name, definition }, { expect })).body;
  }

  async update(id: string, body: object, expect = 200): Promise<any> {
    const headers = { 'Content-Type': 'application/json' };
    return (await this.client.send('PUT', `/v1/segments/${id}`, JSON.stringify(body), { headers, expect })).body;
  }

  async get(path: string, expect = 200): Promise<any> {
    return (await this.client.get(path, { expect })).body;
  }

  /** Records an event; returns the id of its profile. */
  async send(event_type: string, email: string, properties: object = {}, more: object = {}): Promise<string> {
    const event = { event_type, profile: { email }, properties, ...more };
    return (await this.client.post('/v1/events', event, { expect: 201 })).body.profile_id;
  }

  async upsert(email: string, attributes: object = {}, identifiers: object = {}): Promise<string> {
    const body = { identifiers: { email, ...identifiers }, attributes };
    return (await this.client.post('/v1/profiles/upsert', body)).body.id;
  }

  /** Reads all changes that there are. */
  async readAll(): Promise<void> {
    await assignAllPositions(this.db, this.storeId);
    while ((await readChanges(this.db, this.storeId, this.tools)).progress === 'more');
  }

  async build(range = 3): Promise<void> {
    for (let size = range; ; ) {
      try {
        if (!(await buildRange(this.db, this.storeId, this.tools, size))?.isMore) return;
      } catch (error) {
        if (!(error instanceof OutOfTime)) throw error;
        size = narrowed(error.customers);
      }
    }
  }

  /** Does all that there is to do. */
  async settle(): Promise<void> {
    for (;;) {
      await this.readAll();
      while (await takeDue(this.db, this.storeId, this.tools));
      while (await takePostponed(this.db, this.storeId, this.tools, this.#batch));
      const hasExpired = await rebuildExpired(this.db, this.storeId, this.now);
      await this.build();
      while (await sweep(this.db, this.storeId));
      if (!hasExpired) return;
    }
  }

  /** Since when members are in a segment, in milliseconds. */
  async entries(id: string): Promise<[string, number][]> {
    const rows = await this.service.database.query<{ id: string; since: number }>(
      `select m.profile_id as id, extract(epoch from m.entered_at) * 1000 as since
      from segment s join segment_member m on m.store_id = s.store_id and m.segment_id = s.id and m.generation = s.generation
      where s.store_id = '${this.storeId}' and s.id = '${id}'`,
    );
    return rows.map(({ id: profile, since }) => [profile, Number(since)]);
  }

  async members(id: string): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await this.get(`/v1/segments/${id}/members?limit=100${cursor && `&cursor=${cursor}`}`);
      ids.push(...page.members.map((member: { profile_id: string }) => member.profile_id));
      if (page.next_cursor === null) return ids.sort();
      cursor = page.next_cursor;
    }
  }

  /** What has changed, the first first: `entered`, `left` with the causes. */
  async changes(id: string): Promise<[string, string, string][]> {
    const { changes } = await this.get(`/v1/segments/${id}/changes?limit=100`);
    return changes.map(({ profile_id, kind, cause }: Record<string, string>) => [profile_id, kind, cause]).reverse();
  }
}
