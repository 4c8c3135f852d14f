import pg from 'pg';
import { execute } from './citus.ts';
import type { TestDatabase } from './postgres.ts';

/** Citus would pass on what is done to its tables, and forbids what is done to shards. To others it says nothing. */
const MANUALLY = 'set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on';

/** Locks a table until the result is called, on each node of a cluster. */
export async function holdTable(
  database: TestDatabase,
  table: string,
  mode = 'access exclusive',
): Promise<() => Promise<void>> {
  const holders: pg.Client[] = [];
  for (const [url, names] of await database.partsOf(table)) {
    const holder = new pg.Client(url);
    holders.push(holder);
    await holder.connect();
    await holder.query(`${MANUALLY}; begin; lock table ${names} in ${mode} mode`);
  }
  return async () => {
    await Promise.all(holders.map((holder) => holder.end()));
  };
}

/** Has the database refuse rows of a table that are `new`, with a code. */
export async function refuseRows(
  database: TestDatabase,
  table: string,
  condition: string,
  code: string,
): Promise<void> {
  for (const [url, names] of await database.partsOf(table)) {
    const triggers = names.map(
      (name) =>
        `create trigger refuse before insert on ${name} for each row when (${condition}) execute function refuse()`,
    );
    await execute(
      url,
      `${MANUALLY}; create function refuse() returns trigger language plpgsql as
         $$ begin raise exception 'no' using errcode = '${code}'; end $$; ${triggers.join(';')}`,
    );
  }
}
