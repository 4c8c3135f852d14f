import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, openDatabase, type Sql } from '../../src/db/orm.ts';
import { findAutomation } from '../../src/domain/automations/find-automations.ts';
import { explain } from '../../src/domain/automations/reading/explain.ts';
import { findRun, type RunFilter, readRuns } from '../../src/domain/automations/reading/runs.ts';
import { readTimeline } from '../../src/domain/automations/reading/timeline.ts';
import { EngineRoom } from './support/engine-room.ts';

const ROWS = 30_000;
/** Entries of indexes that one request reads of a table at most; one for each run that it looks through, and a few. */
const MOST_READ = 6_000;
const PAGE = { limit: 50, cursor: undefined };

describe('Statements that read automations', () => {
  let room: EngineRoom;
  let database: Database;
  let db: Sql;
  let [manual, event, profileId, runId] = ['', '', '', ''];

  before(async () => {
    room = await EngineRoom.open();
    database = await openDatabase(room.service.database.address, 1);
    db = database.stores.of(room.storeId);
    const steps = [{ id: 'first', type: 'delay', for: 'P1D', next: null }] as const;
    manual = await room.publish({ trigger: { type: 'manual' }, steps });
    event = await room.publish({ trigger: { type: 'event', event_type: 'came' }, steps });
    profileId = await room.upsert('ada@example.com', {});
    for (let i = 0; i < 3; i += 1) await room.send('came', 'ada@example.com');
    await room.settle();
    for (const id of [manual, event]) await room.service.database.query(rowsOf(room.storeId, id));
    await room.service.database.query('analyze');
    runId = (await readRuns(db, room.storeId, { automationId: event, profileId }, PAGE)).items[0]?.id ?? '';
  });
  after(async () => {
    await database.close();
    await room.close();
  });

  /** What a request reads of each table: how often all of it, and how many entries of its indexes. */
  async function reads(work: () => Promise<unknown>): Promise<string[]> {
    const before = await countsOf(db);
    await work();
    const after = await countsOf(db);
    return [...after].flatMap(([table, { whole, entries }]) => {
      const earlier = before.get(table) ?? { whole: 0, entries: 0 };
      const [wholes, read] = [whole - earlier.whole, entries - earlier.entries];
      return wholes > 0 || read > MOST_READ ? [`${table}: ${wholes} times whole, ${read} entries`] : [];
    });
  }

  const from = new Date(Date.now() - 86_400_000);
  const filters: Omit<RunFilter, 'automationId'>[] = [
    {},
    ...(['active', 'ended', 'failed'] as const).flatMap((status) => [{ status }, { status, stepId: 'first' }]),
    { status: 'active', version: 2 },
    { status: 'active', stepId: 'none' },
    { stepId: 'none' },
    { version: 2 },
    { from, to: new Date() },
  ];
  for (const filter of filters) {
    it(`list the runs of an automation by an index: ${Object.keys(filter).join(', ') || 'all'}`, async () => {
      const all = { automationId: manual, ...filter } as RunFilter;
      expect(await reads(() => readRuns(db, room.storeId, all, PAGE))).to.deep.equal([]);
    });
  }

  it('list the runs of a customer, and read one, by an index', async () => {
    const ofProfile = async () => {
      await readRuns(db, room.storeId, { profileId, status: 'failed' }, PAGE);
      await readRuns(db, room.storeId, { profileId, automationId: manual }, PAGE);
      await findRun(db, room.storeId, runId);
      await readTimeline(db, room.storeId, runId);
    };
    expect(await reads(ofProfile)).to.deep.equal([]);
  });

  for (const kind of ['manual', 'event'] as const) {
    it(`explain by indexes why a customer entered or not: ${kind}`, async () => {
      const automation = await findAutomation(db, room.storeId, kind === 'manual' ? manual : event);
      if (!automation) throw new Error('There is no automation');
      const { versions } = room.tools;
      expect(await reads(() => explain(db, room.caller, automation, profileId, PAGE, versions))).to.deep.equal([]);
    });
  }
});

/** The small ones are read as a whole, as nobody has very many automations. */
const TABLES = '^automation_(run|skip|step|status)$|^addition|^event_2';

async function countsOf(db: Sql): Promise<Map<string, { whole: number; entries: number }>> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ table: string; whole: number; entries: number }>`
    select t.relname as table, t.seq_scan::float8 as whole,
      (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes i where i.relid = t.relid)::float8 as entries
    from pg_stat_user_tables t where t.relname ~ ${TABLES}`.execute(db);
  return new Map(rows.map(({ table, ...counts }) => [table, counts]));
}

/** Very many runs of other customers, and what belongs to them. */
function rowsOf(storeId: string, id: string): string {
  const [store, automation] = [`'${storeId}'::uuid`, `'${id}'::uuid`];
  return `
    with run as materialized (select uuidv7() as id, uuidv7() as profile_id, n from generate_series(1, ${ROWS}) n),
    skipped as (
      insert into automation_skip (store_id, automation_id, trigger_id, profile_id, reason, detail, skipped_at)
      select ${store}, ${automation}, 'skip' || id, profile_id, 'paused', '{}', now() from run
    ), taken as (
      insert into automation_step (store_id, run_id, seq, step_id, at, outcome, detail)
      select ${store}, id, 1, 'first', now(), 'started', '{}' from run
    ), entered as (
      insert into automation_status (store_id, id, automation_id, status, version, changed_at)
      select ${store}, id, ${automation}, 'live', 1, now() from run
    )
    insert into automation_run (
      store_id, id, automation_id, version, profile_id, trigger_id, origin, captured, depth, status, step_id, seq, due_at,
      consumed, attempts, started_at)
    select ${store}, id, ${automation}, 1, profile_id, id::text,
      '{"id": "x", "type": "manual", "at": 0, "receivedAt": 0, "eventId": null}', '{}', 0,
      case when n % 1000 = 0 then 'failed' when n % 2 = 0 then 'active' else 'ended' end, 'step' || n % 20, 1,
      now() + interval '9 years', '{}', 0, now()
    from run`;
}
