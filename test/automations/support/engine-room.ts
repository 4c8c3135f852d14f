import { sql } from 'kysely';
import { type Database, openDatabase, type Sql } from '../../../src/db/orm.ts';
import type { RawJson } from '../../../src/db/raw-json.ts';
import { changeStatus } from '../../../src/domain/automations/change-status.ts';
import type { Definition, InFlight } from '../../../src/domain/automations/core/definition/definition.ts';
import { createAutomation, reviseAutomation } from '../../../src/domain/automations/drafts.ts';
import { fillAudiences } from '../../../src/domain/automations/engine/audiences/fill.ts';
import { EmissionPace } from '../../../src/domain/automations/engine/emission-pace.ts';
import { fillDates } from '../../../src/domain/automations/engine/fill-dates.ts';
import { fillMembers } from '../../../src/domain/automations/engine/fill-members.ts';
import { KnownChains } from '../../../src/domain/automations/engine/known-chains.ts';
import { readChanges } from '../../../src/domain/automations/engine/read-changes.ts';
import { takeDueDates } from '../../../src/domain/automations/engine/take-due-dates.ts';
import { takeDueRuns } from '../../../src/domain/automations/engine/take-due-runs.ts';
import { takeSchedules } from '../../../src/domain/automations/engine/take-schedules.ts';
import type { EngineTools } from '../../../src/domain/automations/engine/tools.ts';
import { findAutomation } from '../../../src/domain/automations/find-automations.ts';
import { publishAutomation } from '../../../src/domain/automations/publish.ts';
import { VersionCache } from '../../../src/domain/automations/stored/version-cache.ts';
import { type Caller, SCOPES } from '../../../src/domain/caller.ts';
import { messageQueues } from '../../../src/domain/messages/core/queue.ts';
import { durationMs } from '../../../src/domain/time/duration.ts';
import { EndpointQueues } from '../../../src/domain/webhooks/deliveries/queue.ts';
import { createLog } from '../../../src/process/log.ts';
import { Client } from '../../support/client.ts';
import type { TestDatabase } from '../../support/postgres.ts';
import { until } from '../../support/process.ts';
import { TestService } from '../../support/service.ts';

/** Something that the engine has decided about a run. */
export interface Entry {
  key: string | null;
  step: string;
  outcome: string;
  detail: Record<string, unknown>;
}

/** A store whose engine does nothing by itself: tests move it on, with a clock of their own. */
export class EngineRoom {
  readonly service: TestService;
  readonly client: Client;
  readonly storeId: string;
  readonly #keyId: string;
  readonly #database: Database;
  /** Runs that ended or did not start, as too much had followed from one event. */
  cut = 0;
  /** Milliseconds by which its clock is ahead. */
  #ahead = 0;
  readonly tools: EngineTools = {
    versions: new VersionCache(),
    queues: new EndpointQueues(),
    messageQueues: messageQueues(),
    keepsHistory: async () => false,
    log: createLog('silent'),
    now: () => Date.now() + this.#ahead,
    onFailed: () => {},
    onCut: (runs) => {
      this.cut += runs;
    },
    pace: new EmissionPace(),
    chains: new KnownChains(),
  };

  private constructor(service: TestService, database: Database, key: { id: string; key: string; storeId: string }) {
    this.service = service;
    this.#database = database;
    this.client = new Client(service.url, key.key);
    this.storeId = key.storeId;
    this.#keyId = key.id;
  }

  static async open(existing?: TestDatabase): Promise<EngineRoom> {
    const service = await TestService.start({ AUTOMATION_CONCURRENCY: '0' }, existing);
    const database = await openDatabase(service.database.address, 8);
    return new EngineRoom(service, database, await service.newKey());
  }

  async close(): Promise<void> {
    await this.#database.close();
    await this.service.stop();
  }

  /** The same service and database, with a new store. */
  async newStore(): Promise<EngineRoom> {
    return new EngineRoom(this.service, this.#database, await this.service.newKey());
  }

  get db(): Sql {
    return this.#database.stores.of(this.storeId);
  }

  /** Publishes an automation, or its next version. Returns its id. */
  async publish(definition: Partial<Definition>, id?: string, inFlight: InFlight = 'keep'): Promise<string> {
    const draft = { name: 'Test', start: 'first', ...definition } as Definition;
    const automation = id
      ? await reviseAutomation(this.db, this.caller, { id, revision: await this.#revisionOf(id), definition: draft })
      : await createAutomation(this.db, this.caller, draft);
    if (!automation) throw new Error(`There is no automation ${id}`);
    const { revision } = automation;
    await publishAutomation(this.db, this.caller, { id: automation.id, revision, inFlight });
    return automation.id;
  }

  async #revisionOf(id: string): Promise<number> {
    return (await findAutomation(this.db, this.storeId, id))?.revision ?? 0;
  }

  async setStatus(
    id: string,
    status: 'live' | 'paused' | 'draining' | 'archived',
    { overdue = 'run', spreadMs = 0 }: { overdue?: 'run' | 'exit'; spreadMs?: number } = {},
  ): Promise<void> {
    await changeStatus(this.db, this.caller, { id, status, overdue, spreadMs });
  }

  get caller(): Caller {
    return {
      storeId: this.storeId,
      actor: { kind: 'key', id: this.#keyId },
      scopes: new Set<string>(SCOPES),
    } as unknown as Caller;
  }

  async send(event_type: string, email: string, properties: object = {}, more: object = {}): Promise<string> {
    const event = { event_type, profile: { email }, properties, ...more };
    return (await this.client.post('/v1/events', event, { expect: 201 })).body.id;
  }

  async upsert(email: string, attributes: object): Promise<string> {
    const { body } = await this.client.post('/v1/profiles/upsert', { identifiers: { email }, attributes });
    return body.id;
  }

  /** Imports a file of customers; its columns become what they look like. */
  async importFile(text: string, input: object = {}): Promise<void> {
    const { id } = (await this.client.post('/v1/imports', input, { expect: 201 })).body;
    const headers = { 'Content-Type': 'application/json' };
    await this.client.send('PUT', `/v1/imports/${id}/parts/1`, JSON.stringify({ text }), { headers, expect: 200 });
    const { mapping } = (await this.client.post(`/v1/imports/${id}/preview`, {}, { expect: 200 })).body;
    await this.client.post(`/v1/imports/${id}/start`, { mapping }, { expect: 202 });
    const hasEnded = async () =>
      (await this.client.get(`/v1/imports/${id}`, { expect: 200 })).body.status === 'complete';
    await until(hasEnded, 'the import is complete');
  }

  pass(duration: string): void {
    this.#ahead += durationMs(duration);
  }

  /** Reads all that is new, `items` at a time. */
  async read(items?: number): Promise<void> {
    while (await readChanges(this.db, this.storeId, this.tools, items));
  }

  /** Takes everything that is due further. */
  async step(limit = 200): Promise<void> {
    while ((await takeDueRuns(this.db, this.storeId, this.tools, limit)) > 0);
  }

  /** Goes through the next customers whom a change of an item concerns. */
  async fillAudience(): Promise<boolean> {
    return await fillAudiences(this.db, this.storeId, this.tools);
  }

  async takeDates(): Promise<void> {
    while (await fillDates(this.db, this.storeId, this.tools));
    while (await fillMembers(this.db, this.storeId, this.tools));
    while (await this.fillAudience());
    while (await takeDueDates(this.db, this.storeId, this.tools));
    while (await takeSchedules(this.db, this.storeId, this.tools));
  }

  /** Until there is nothing left to do at this time. */
  async settle(): Promise<void> {
    await this.read();
    await this.takeDates();
    await this.step();
    await this.read();
  }

  /** What was decided, run by run in the order in which they were started. */
  async timeline(id: string): Promise<Entry[]> {
    const { rows } = await sql<Omit<Entry, 'detail'> & { detail: RawJson }>`
      select r.key, s.step_id as step, s.outcome, s.detail
      from automation_run r join automation_step s on s.store_id = r.store_id and s.run_id = r.id
      where r.store_id = ${this.storeId} and r.automation_id = ${id}
      order by r.id, s.seq`.execute(this.db);
    return rows.map((row) => ({ ...row, detail: row.detail.parse() }));
  }

  /** The outcomes of the timeline, and why runs ended. */
  async outcomes(id: string): Promise<string[]> {
    const timeline = await this.timeline(id);
    return timeline.map(({ outcome, detail }) => (outcome === 'ended' ? `ended: ${detail.reason}` : outcome));
  }

  async runs(id: string): Promise<{ key: string | null; status: string; step: string; version: number }[]> {
    const { rows } = await sql<{ key: string | null; status: string; step: string; version: number }>`
      select key, status, step_id as step, version from automation_run
      where store_id = ${this.storeId} and automation_id = ${id} order by id`.execute(this.db);
    return rows;
  }

  async skips(id: string): Promise<string[]> {
    const { rows } = await sql<{ reason: string }>`
      select reason from automation_skip
      where store_id = ${this.storeId} and automation_id = ${id} order by trigger_id`.execute(this.db);
    return rows.map(({ reason }) => reason);
  }

  /** Counts of all days, by metric and name. */
  async counts(id: string): Promise<Record<string, number>> {
    const { rows } = await sql<{ name: string; count: number }>`
      select btrim(metric || ' ' || name) as name, sum(count)::int as count
      from (
        select metric, name, count from automation_count_new
        where store_id = ${this.storeId} and automation_id = ${id}
        union all
        select metric, name, count from automation_count where store_id = ${this.storeId} and automation_id = ${id}
      ) as counted
      group by 1`.execute(this.db);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  }
}

/** Has a suite work with one service, and each of its tests with a store of its own. */
export function useRooms(begin: (room: EngineRoom) => unknown): void {
  let first: EngineRoom;
  before(async () => {
    first = await EngineRoom.open();
  });
  beforeEach(async () => {
    await begin(await first.newStore());
  });
  after(() => first.close());
}
