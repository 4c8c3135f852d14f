/** Writes all data to a file, whether or not the service is running: `npm run backup -- <file>`. */

import { backup } from '../src/backup/backup.ts';
import { readConfig } from '../src/config.ts';
import { hasEmbedded } from '../src/embedded-postgres/embedded-postgres.ts';
import { StartError } from '../src/process/start-error.ts';
import { withPostgres } from '../src/storage.ts';
import { runWithFile } from './backup/command.ts';

const WHAT = `Writes a consistent snapshot of all data into a file, with the service running or not.
The database is the one that DATABASE_URL or DATA_DIR names.`;

await runWithFile('backup', WHAT, async (file) => {
  const config = readConfig(process.env);
  if (!config.databaseUrl && !hasEmbedded(config.dataDir)) {
    throw new StartError(`There is no database in ${config.dataDir}; set DATA_DIR or DATABASE_URL.`);
  }
  console.error('Backing up…');
  return withPostgres(config, (url) => backup(url, file));
});
