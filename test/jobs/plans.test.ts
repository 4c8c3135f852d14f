import { expect } from 'chai';
import { type Database, openDatabase, SETTINGS_OF_ENGINES, type Sql } from '../../src/db/orm.ts';
import { findStoresWithDueJobs } from '../../src/domain/imports/attempts.ts';
import { expectFewBlocks } from '../support/blocks.ts';
import { createUndividedDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

/** Jobs that will be done, that are due, and that wait for their next attempt. */
const [DONE, DUE, LATER] = [100_000, 3_000, 1_000];
/** Stores that have them; every other one has only such as are done or wait. */
const STORES = 10;
/** The first plans of a statement are made for its parameters. */
const CUSTOM = { ...SETTINGS_OF_ENGINES, plan_cache_mode: 'auto' } as const;

const works = { 'find stores that have jobs which are due': findStoresWithDueJobs };

describe('The search for bulk jobs, beside very many that are done', () => {
  let service: TestService;
  const stores: string[] = [];
  const opened: Database[] = [];

  before(async () => {
    service = await TestService.start({ WORKER_CONCURRENCY: '0' }, await createUndividedDatabase());
    for (let n = 0; n < STORES; n += 1) stores.push(await service.newStore());
    await change('alter table import_job set (autovacuum_enabled = off); analyze');
  });
  after(async () => {
    for (const one of opened) await one.close();
    await service.stop();
  });

  const change = (statement: string) => service.database.query(`${statement}; select pg_stat_force_next_flush()`);

  /** Connections on which it is planned now. */
  async function plan(): Promise<Sql[]> {
    const all: Database[] = [];
    for (const settings of [SETTINGS_OF_ENGINES, CUSTOM])
      all.push(await openDatabase(service.database.url, 1, settings));
    for (const { sql: db } of all) await findStoresWithDueJobs(db);
    opened.push(...all);
    return all.map(({ sql: db }) => db);
  }

  it('touches few rows, with whatever statistics it was planned', async () => {
    const planned = await plan();
    await change(jobsOf(stores));
    planned.push(...(await plan()));
    await change('analyze import_job');
    planned.push(...(await plan()));
    await change(`update import_job set status = 'complete' where total = 1`);
    await service.database.query('vacuum import_job');
    planned.push(...(await plan()));
    for (const db of planned) await expectFewBlocks(db, works);
    await change('analyze import_job');
    for (const db of [...planned, ...(await plan())]) await expectFewBlocks(db, works);
    const found = await findStoresWithDueJobs(planned[0] as Sql);
    expect(found).to.have.members(stores.filter((_, n) => n % 2 === 0));
  });
});

/** Those with a total of 1 will be done. */
function jobsOf(stores: readonly string[]): string {
  return `
    insert into import_job (store_id, id, kind, status, total, created_at, expires_at, touched_at, retry_at)
    select store.id, uuidv7(), 'events', 'queued', case when n <= ${DONE} then 1 else 2 end, now(),
      now() + interval '7 days', now(), case when n > ${DONE + DUE} then now() + interval '1 day' end
    from (values ${stores.map((id, n) => `('${id}'::uuid, ${n})`).join(', ')}) store (id, number)
    cross join generate_series(1, ${DONE + DUE + LATER}) n
    where n % ${STORES} = number and (n <= ${DONE} or n > ${DONE + DUE} or number % 2 = 0)`;
}
