import pg from 'pg';
import { execute } from './citus.ts';
import type { TestDatabase } from './postgres.ts';

/** Citus would pass on what is done to its tables, and forbids what is done to shards. To others it says nothing. */
const MANUALLY = 'set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on';

/** Locks a table until the result is called, on each node of a cluster. */
export function holdTable(
  database: TestDatabase,
  table: string,
  mode = 'access exclusive',
): Promise<() => Promise<void>> {
  return hold(database, table, (names) => [`lock table ${names} in ${mode} mode`]);
}

/** Locks the rows of a table that fulfil a condition until the result is called, on each node of a cluster. */
export function holdRows(database: TestDatabase, table: string, condition: string): Promise<() => Promise<void>> {
  return hold(database, table, (names) => names.map((name) => `select from ${name} where ${condition} for update`));
}

async function hold(
  database: TestDatabase,
  table: string,
  locks: (names: readonly string[]) => string[],
): Promise<() => Promise<void>> {
  const holders: pg.Client[] = [];
  for (const [url, names] of await database.partsOf(table)) {
    const holder = new pg.Client(url);
    holders.push(holder);
    await holder.connect();
    await holder.query([MANUALLY, 'begin', ...locks(names)].join(';'));
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
  const body = `raise exception 'no' using errcode = '${code}';`;
  await addTrigger(database, table, { when: 'before insert', for: `each row when (${condition})`, body });
}

/** As Postgres has them; `body` is in PL/pgSQL. */
interface Trigger {
  when: string;
  referencing?: string;
  for: string;
  body: string;
}

/** Adds a trigger to a table, on each node of a cluster. */
export async function addTrigger(database: TestDatabase, table: string, trigger: Trigger): Promise<void> {
  const { when, referencing = '', for: what, body } = trigger;
  for (const [url, names] of await database.partsOf(table)) {
    const triggers = names.map(
      (name) =>
        `create trigger obstacle ${when} on ${name} ${referencing} for ${what} execute function obstacle_of_${table}()`,
    );
    const create = `create function obstacle_of_${table}() returns trigger language plpgsql as $$ begin ${body} end $$`;
    await execute(url, [MANUALLY, create, ...triggers].join(';'));
  }
}
