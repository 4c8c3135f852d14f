import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Log } from '../../process/log.ts';
import { keyOfText, type SecretKey, Secrets } from './secrets.ts';

/**
 * Returns the keys that are configured. Where none is, one is drawn, and kept in the database: that guards against nobody
 * who reads the database, and the log says so. One that was drawn opens what it has sealed also once others are configured.
 */
export async function openSecrets(shared: Sql, configured: readonly string[], log?: Log): Promise<Secrets> {
  const keys = configured.map(keyOfText);
  if (keys.length > 0) return new Secrets([...keys, ...(await drawnKeys(shared))]);
  log?.info('SECRET_KEY is not set: secrets are encrypted with a key that is kept in the database, and in its backups');
  const drawn = await drawnKeys(shared);
  if (drawn.length > 0) return new Secrets(drawn);
  // Of processes that draw at the same time, the first decides.
  const text = randomBytes(32).toString('base64');
  await sql`
    insert into drawn_key (name, text, created_at) values ('secrets', ${text}, now())
    on conflict do nothing`.execute(shared);
  return new Secrets(await drawnKeys(shared));
}

async function drawnKeys(shared: Sql): Promise<SecretKey[]> {
  const { rows } = await sql<{ text: string }>`select text from drawn_key where name = 'secrets'`.execute(shared);
  return rows.map(({ text }) => keyOfText(text));
}
