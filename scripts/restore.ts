/** Restores a backup into an empty database: `npm run restore -- <file> [--erasures <list>]`. */

import { detectFormat, restore } from '../src/backup/backup.ts';
import { callOf } from '../src/command/help.ts';
import { readConfig } from '../src/config.ts';
import { readLog } from '../src/domain/erasures/log/read-log.ts';
import { withPostgres } from '../src/storage.ts';
import { runWithFile } from './backup/command.ts';
import { redoAll } from './erase/log.ts';

const WHAT = `Restores all data of a backup into an empty database, or nothing.
The database is the one that DATABASE_URL or DATA_DIR names; set DATA_DIR to a new folder for a new embedded one.
With --erasures, whoever was erased since is erased again; the list is what "${callOf('erase')} log" has printed.`;

await runWithFile('restore', WHAT, restoreFile, 'erasures');

async function restoreFile(file: string, erasures: string | undefined): Promise<string> {
  const config = readConfig(process.env);
  const found = await detectFormat(file);
  // Before anything is restored: a list that can not be read would leave it half done.
  const log = erasures === undefined ? undefined : await readLog(erasures);
  console.error('Restoring…');
  const restored = await withPostgres(config, (url) => restore(url, found));
  if (erasures === undefined) return `${restored}; ${withoutList()}`;
  console.error(restored);
  try {
    return await redoAll(erasures, log);
  } catch (error) {
    const again = `${callOf('erase')} redo ${erasures}`;
    console.error(`It is restored, but not all erasures were done again: before it is used, run ${again}`);
    throw error;
  }
}

function withoutList(): string {
  return `whoever was erased after the backup is there again until the command "${callOf('erase')} redo <list>"`;
}
