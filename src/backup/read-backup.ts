import { createReadStream } from 'node:fs';
import { pipeline as connect } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Client, escapeIdentifier } from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import { PROFILE_UPDATES, PROFILES_BY_UPDATE } from '../db/background/migrations.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { partitionStatement } from '../db/partitions.ts';
import { StartError } from '../process/start-error.ts';
import { FrameReader } from './frames.ts';
import { migrateWithin } from './migrate-in-transaction.ts';
import { type End, FORMAT, type Header, VERSION } from './write-backup.ts';

/**
 * Imports a file in our own format into an empty database, in the connection's transaction. Returns the number of rows.
 */
export async function importFrom(client: Client, url: string, file: string): Promise<number> {
  // The callback is empty because the reader sees errors of the stream.
  const reader = new FrameReader(connect(createReadStream(file), createGunzip(), () => {}));
  const header = (await reader.expect('header')) as Header;
  checkHeader(header);
  await migrateWithin(client, url, header.migrations.at(-1) as string);
  for (const name of header.partitions) await client.query(partitionStatement(name));
  // The rows that the migrations have written.
  await client.query(`truncate ${header.tables.map(({ name }) => escapeIdentifier(name)).join(', ')}`);

  const copies: CopyStreamQuery[] = [];
  for (const { name, columns } of header.tables) {
    const list = columns.map(escapeIdentifier).join(', ');
    const copy = client.query(from(`copy ${escapeIdentifier(name)} (${list}) from stdin`));
    await pipeline(reader.rows(), copy);
    copies.push(copy);
  }
  if (header.tables.some(({ name }) => name === 'background_migration')) await makeAgain(client);
  for (const [name, value] of Object.entries(header.sequences)) {
    await client.query('select setval($1::text::regclass, $2::bigint)', [escapeIdentifier(name), value]);
  }
  const { rows } = (await reader.expect('end')) as End;
  await reader.finish();
  if (!copies.every(({ rowCount }, i) => rowCount === rows[i])) throw new StartError('The backup is missing rows');
  return rows.reduce((sum, n) => sum + n, 0);
}

/** An empty database has no index of what the journal of changes is for. It is needed if the backup has part of that. */
async function makeAgain(client: Client): Promise<void> {
  await client.query(
    `update background_migration set completed_at = null where name = $1 and exists (
       select from background_migration where name = $2 and completed_at is null)`,
    [PROFILES_BY_UPDATE.name, PROFILE_UPDATES.name],
  );
}

function checkHeader({ format, version, migrations }: Header): void {
  if (format !== FORMAT) throw new StartError('The file is not a backup of Footfall');
  const known = MIGRATIONS.migrationsList.map(({ name }) => name);
  if (version !== VERSION || migrations.length === 0 || migrations.some((name, i) => name !== known[i])) {
    throw new StartError('The backup was made by a newer version of Footfall: restore it with that one');
  }
}
