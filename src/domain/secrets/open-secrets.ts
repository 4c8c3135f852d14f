import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { keyOfText, type SecretKey, Secrets } from './secrets.ts';

/**
 * Returns the keys that are configured. Where none is, one is drawn, and kept in the database: that guards against nobody
 * who reads the database or its backups. One that was drawn opens what it has sealed also once others are configured.
 */
export async function openSecrets(shared: Sql, configured: readonly string[]): Promise<Secrets> {
  const keys = configured.map(keyOfText);
  if (keys.length > 0) return new Secrets([...keys, ...(await drawnKeys(shared))]);
  return new Secrets([keyOfText(await drawnKey(shared, SECRETS))]);
}

/** Returns the key of a name that is kept in the database, and drawn where there is none yet. */
export async function drawnKey(shared: Sql, name: string): Promise<string> {
  const read = async () => {
    const { rows } = await sql<{ text: string }>`select text from drawn_key where name = ${name}`.execute(shared);
    return rows[0]?.text;
  };
  // A replica has only to be read.
  const known = await read();
  if (known !== undefined) return known;
  const text = randomBytes(32).toString('base64');
  // Of processes that draw at the same time, the first decides.
  await sql`
    insert into drawn_key (name, text, created_at) values (${name}, ${text}, now())
    on conflict do nothing`.execute(shared);
  return (await read()) as string;
}

const SECRETS = 'secrets';

async function drawnKeys(shared: Sql): Promise<SecretKey[]> {
  const { rows } = await sql<{ text: string }>`select text from drawn_key where name = ${SECRETS}`.execute(shared);
  return rows.map(({ text }) => keyOfText(text));
}
