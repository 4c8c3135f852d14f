import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { deleteOldOfAutomations } from '../../src/domain/automations/retention/delete-old.ts';
import { sumUpAutomationCounts } from '../../src/domain/automations/retention/sum-up-counts.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';

const [AUTOMATION, PROFILE] = [newId(), newId()];

describe('What automations keep', () => {
  let test: TestDatabase;
  let database: Database;
  let stores: string[];

  before(async () => {
    test = await createUndividedDatabase();
    database = await openDatabase(test.address, 4);
  });
  after(async () => {
    await database.close();
    await test.drop();
  });
  beforeEach(() => {
    stores = [newId(), newId()].sort();
  });

  const query = <Row>(text: string) => test.query<Row>(text);
  const count = async (table: string, storeId: string, condition = 'true') => {
    const [row] = await query<{ n: string }>(
      `select count(*) as n from ${table} where store_id = '${storeId}' and ${condition}`,
    );
    return Number(row?.n);
  };
  const forget = (days: number, ms = 60_000) =>
    database.stores.each((db) => deleteOldOfAutomations(db, days, performance.now() + ms));

  /** Runs that ended, failed or are under way since some days ago, each with three entries. */
  const addRuns = async (storeId: string, status: string, days: number, times: number) => {
    await query(`
      with run as (
        insert into automation_run
          (store_id, id, automation_id, version, profile_id, trigger_id, origin, captured, depth, status, step_id, seq,
            consumed, attempts, started_at, ended_at)
        select '${storeId}', uuidv7(), '${AUTOMATION}', 1, '${PROFILE}', 'event ' || gen_random_uuid(), '{}', '{}', 0,
          '${status}', '${status} ${days}', 3, '{}', 0, now() - interval '400 days',
          case when '${status}' <> 'active' then now() - interval '${days} days' end
        from generate_series(1, ${times})
        returning *
      )
      insert into automation_step (store_id, run_id, seq, step_id, at, outcome, detail)
      select store_id, id, n, step_id, started_at, 'delayed', '{}' from run, generate_series(1, 3) n`);
  };
  const addSkips = (storeId: string, days: number, times: number) =>
    query(`
      insert into automation_skip (store_id, automation_id, trigger_id, profile_id, reason, detail, skipped_at)
      select '${storeId}', '${AUTOMATION}', 'event ${days} ' || n, '${PROFILE}', 'late', '{}',
        now() - interval '${days} days'
      from generate_series(1, ${times}) n`);
  const addChanges = (storeId: string, days: number, times: number) =>
    query(`
      insert into profile_change (store_id, id, profile_id, changes, depth, changed_at)
      select '${storeId}', uuidv7(interval '-${days} days'), '${PROFILE}', '{"tier": {"to": 1}}', 0,
        now() - interval '${days} days'
      from generate_series(1, ${times})`);

  it('is what ended in the days that it may be kept, and whatever is under way', async () => {
    for (const store of stores) {
      await addRuns(store, 'ended', 91, 2_500);
      await addRuns(store, 'failed', 91, 10);
      await addRuns(store, 'ended', 89, 20);
      await addRuns(store, 'failed', 1, 3);
      await addRuns(store, 'active', 0, 5);
      await addSkips(store, 31, 2_100);
      await addSkips(store, 29, 7);
      await addChanges(store, 8, 2_100);
      await addChanges(store, 6, 9);
    }
    await forget(90);
    for (const store of stores) {
      const left = await query(`
        select step_id, count(*)::int as n from automation_run where store_id = '${store}' group by 1 order by 1`);
      expect(left).to.deep.equal([
        { step_id: 'active 0', n: 5 },
        { step_id: 'ended 89', n: 20 },
        { step_id: 'failed 1', n: 3 },
      ]);
      expect(await count('automation_step', store)).to.equal(3 * 28);
      expect(await count('automation_skip', store)).to.equal(7);
      expect(await count('profile_change', store)).to.equal(9);
    }
    await forget(0);
    expect(await count('automation_run', stores[0] as string)).to.equal(28);
  });

  it('goes a part at a time, and no further when the time is over', async () => {
    const [store] = stores as [string];
    await addRuns(store, 'ended', 100, 1_500);
    await forget(90, -1);
    expect(await count('automation_run', store)).to.equal(1_500);
    await Promise.all([forget(90), forget(90)]);
    await forget(90);
    expect(await count('automation_run', store)).to.equal(0);
    expect(await count('automation_step', store)).to.equal(0);
  });

  it('is found by an index, however much there is', async () => {
    for (const store of stores) {
      await addRuns(store, 'ended', 10, 5_000);
      await addSkips(store, 10, 5_000);
      await addChanges(store, 3, 5_000);
      await addRuns(store, 'ended', 100, 100);
      await addSkips(store, 100, 100);
      await addChanges(store, 30, 100);
    }
    await query('analyze');
    const tables = ['automation_run', 'automation_step', 'automation_skip', 'profile_change'];
    const reads = () =>
      query(`
        select relname as name, seq_scan as reads from pg_stat_user_tables
        where relname in (${tables.map((name) => `'${name}'`)}) order by 1`);
    const before = await reads();
    const own = await openDatabase(test.address, 1);
    await own.stores.each((db) => deleteOldOfAutomations(db, 90, performance.now() + 60_000));
    // Connections tell what they did when they close.
    await own.close();
    expect(await reads()).to.deep.equal(before);
    expect(await count('automation_run', stores[1] as string)).to.equal(5_000);
  });

  it('counts the same before and after the counts are summed up', async () => {
    const add = (store: string, day: string, metric: string, name: string, n: number) =>
      query(`insert into automation_count_new (store_id, id, automation_id, day, metric, name, count)
        values ('${store}', uuidv7(), '${AUTOMATION}', '${day}', '${metric}', '${name}', ${n})`);
    for (const store of stores) {
      await add(store, '1970-01-01', 'active', '1', 3);
      await add(store, '1970-01-01', 'active', '1', -1);
      await add(store, '2026-11-24', 'entered', '', 2);
    }
    await query(`insert into automation_count_new (store_id, id, automation_id, day, metric, name, count)
      select '${stores[0]}', uuidv7(), '${AUTOMATION}', '2026-11-25', 'reached', 'step' || n % 7, 1
      from generate_series(1, 2500) n`);
    await Promise.all([1, 2].map(() => database.stores.each(sumUpAutomationCounts)));
    await database.stores.each(sumUpAutomationCounts);
    await add(stores[0] as string, '1970-01-01', 'active', '1', -2);
    await database.stores.each(sumUpAutomationCounts);
    const sums = (store: string) =>
      query(`select day::text, metric, sum(count)::int as count from automation_count where store_id = '${store}'
        group by 1, 2 order by 1, 2`);
    const shared = (active: number) => [
      { day: '1970-01-01', metric: 'active', count: active },
      { day: '2026-11-24', metric: 'entered', count: 2 },
    ];
    expect(await sums(stores[0] as string)).to.deep.equal([
      ...shared(0),
      { day: '2026-11-25', metric: 'reached', count: 2_500 },
    ]);
    expect(await sums(stores[1] as string)).to.deep.equal(shared(2));
    expect(await count('automation_count_new', stores[0] as string)).to.equal(0);
  });
});
