import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import type { Client } from 'pg';
import { MIGRATIONS } from '../db/migrations/index.ts';

/** Runs the migrations up to and including `last` in the current transaction of a connection. */
export async function migrateWithin(client: Client, url: string, last: string): Promise<void> {
  const connection = { query: client.query.bind(client), release: () => {} };
  const pool = { connect: async () => connection, end: async () => {}, options: {} };
  const orm = await MikroORM.init({
    clientUrl: url,
    driverOptions: new PostgresDialect({ pool }),
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    ensureDatabase: false,
    // The transaction belongs to the caller.
    migrations: { ...MIGRATIONS, transactional: false },
    logger: () => {},
  });
  await orm.migrator.up({ to: last });
  await orm.close(true);
}
