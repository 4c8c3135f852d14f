import { readConfig } from '../../src/config.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type OrmDatabase, openOrm, SETTINGS_OF_JOBS } from '../../src/db/orm.ts';
import { VersionCache } from '../../src/domain/automations/stored/version-cache.ts';
import { closeGap } from '../../src/domain/erasures/gap.ts';
import { type LogLine, logOfStore } from '../../src/domain/erasures/log/log.ts';
import { type ErasureList, readLog } from '../../src/domain/erasures/log/read-log.ts';
import { redoErasures } from '../../src/domain/erasures/log/redo.ts';
import { openAddressDigest } from '../../src/domain/messages/core/address-digest.ts';
import { printable } from '../../src/domain/printable.ts';
import { findStore, storeNames } from '../../src/domain/stores.ts';
import { withPostgres } from '../../src/storage.ts';
import { UsageError } from '../keys/arguments.ts';
import { auditCommand } from '../keys/audit-command.ts';

/** Does some work on the database that the configuration names, at this version. */
export async function withData<Result>(
  work: (database: Awaited<ReturnType<typeof openOrm>>) => Promise<Result>,
): Promise<Result> {
  return await withPostgres(readConfig(process.env), async (url) => {
    const database = await openOrm(await migrate(url), 2, SETTINGS_OF_JOBS);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  });
}

/** The list of erasures of all stores, or of one by its name. */
export async function* erasureLog(
  database: OrmDatabase,
  since: Date | undefined,
  store: string | undefined,
): AsyncGenerator<LogLine> {
  const ids = await idsOf(database, store);
  let lines = 1;
  yield {
    ...{ kind: 'begin', format: 'footfall erasures', version: 1 },
    ...{ at: new Date().toISOString(), since: since?.toISOString() ?? null, all_stores: store === undefined },
  };
  for (const id of ids) {
    for await (const line of logOfStore(database.stores.of(id), id, since)) {
      lines += 1;
      yield line;
    }
  }
  yield { kind: 'end', lines };
}

async function idsOf(database: OrmDatabase, store: string | undefined): Promise<string[]> {
  if (store === undefined) return [...(await storeNames(database)).keys()];
  const id = await findStore(database, store);
  if (id === undefined) throw new UsageError(`There is no store "${printable(store)}"`);
  return [id];
}

/** Does the erasures of a list again. Returns a sentence that says what was done. */
export async function redoAll(file: string, log?: ErasureList): Promise<string> {
  const { stores, isOfAll } = log ?? (await readLog(file));
  return await withData(async (database) => {
    const tools = { versions: new VersionCache(), addressDigest: await openAddressDigest(database.sql) };
    const known = await storeNames(database);
    let [customers, erasures] = [0, 0];
    for (const [id, ofStore] of stores) {
      if (!known.has(id)) continue;
      const done = await auditCommand(database, { operation: 'erase redo', storeId: id }, () =>
        redoErasures(database.stores.of(id), id, ofStore, tools),
      );
      customers += done.customers;
      erasures += done.erasures;
    }
    // A store without a line has erased nobody.
    await closeGaps(database, isOfAll ? known.keys() : [...stores.keys()].filter((id) => known.has(id)));
    return `${erasures} erasures of ${file} were not in the backup; ${customers} customers were erased again`;
  });
}

/**
 * Takes the word of the operator that there is no list of erasures for a restored copy: of all its stores, or of one by its name.
 * Returns a sentence that says what was done.
 */
export async function redoNone(store: string | undefined): Promise<string> {
  return await withData(async (database) => {
    let closed = 0;
    for (const id of await idsOf(database, store)) {
      const close = () => closeGaps(database, [id]);
      closed += await auditCommand(database, { operation: 'erase no-list', storeId: id }, close);
    }
    return `${closed} stores are no longer shown as restored without the list of erasures; nobody was erased`;
  });
}

async function closeGaps(database: OrmDatabase, storeIds: Iterable<string>): Promise<number> {
  let closed = 0;
  for (const id of storeIds) closed += (await closeGap(database.stores.of(id), id)) ? 1 : 0;
  return closed;
}
