import { expect } from 'chai';
import { until } from './process.ts';

type Query = <Row>(statement: string) => Promise<Row[]>;

/** In place of a customer who was erased, where a row stays. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Waits until merges and erasures of a store are over; `$store` in a query is its id. */
export async function settleLives(query: Query): Promise<void> {
  await until(async () => {
    const open = await query(`
      select from profile_merge where store_id = $store and completed_at is null
      union all select from erasure where store_id = $store and completed_at is null`);
    return open.length === 0;
  }, 'merges and erasures are over');
}

/** Fails if a row of any table names a customer who is not there; of what expires by itself, some may. */
export async function expectNobodyLost(query: Query): Promise<void> {
  const tables = await query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'profile_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('profile_merge', 'import_profile')`);
  for (const { name } of tables) {
    const lost = await query(`
      select profile_id from ${name} t
      where store_id = $store and profile_id <> '${NOBODY}'
        and not exists (select from profile p where p.store_id = $store and p.id = t.profile_id)`);
    expect(lost, name).to.deep.equal([]);
  }
}
