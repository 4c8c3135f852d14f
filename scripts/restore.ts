/** Brings a backup into an empty database: `npm run restore -- <file>`. */
import { readConfig } from '../src/config.ts';
import { recognise, restore } from '../src/db/backup.ts';
import { withPostgres } from '../src/storage.ts';
import { runWithFile } from './backup/command.ts';

await runWithFile('restore', async (file) => {
  const config = readConfig(process.env);
  const found = await recognise(file);
  console.error('Restoring…');
  return withPostgres(config, (url) => restore(url, found));
});
