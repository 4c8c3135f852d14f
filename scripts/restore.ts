/** Restores a backup into an empty database: `npm run restore -- <file>`. */

import { detectFormat, restore } from '../src/backup/backup.ts';
import { readConfig } from '../src/config.ts';
import { withPostgres } from '../src/storage.ts';
import { runWithFile } from './backup/command.ts';

const WHAT = `Restores all data of a backup into an empty database, or nothing.
The database is the one that DATABASE_URL or DATA_DIR names; set DATA_DIR to a new folder for a new embedded one.`;

await runWithFile('restore', WHAT, async (file) => {
  const config = readConfig(process.env);
  const found = await detectFormat(file);
  console.error('Restoring…');
  return withPostgres(config, (url) => restore(url, found));
});
