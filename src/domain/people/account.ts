import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { invalid } from '../service-error.ts';
import { readSecondFactor } from './second-factors.ts';

/** A person as that person sees it. */
export interface Account {
  name: string;
  email: string;
  secondFactor: Awaited<ReturnType<typeof readSecondFactor>>;
}

export async function readAccount(db: Sql, personId: string): Promise<Account> {
  const { rows } = await sql<{ name: string; email: string }>`
    select name, coalesce(provider_email, email) as email from person where id = ${personId}`.execute(db);
  return { ...(rows[0] as { name: string; email: string }), secondFactor: await readSecondFactor(db, personId) };
}

/** Throws `validation_error` for a blank name. */
export async function renameOneself(db: Sql, personId: string, name: string): Promise<void> {
  if (name.trim() === '') throw invalid({ path: ['name'], problem: 'is required' });
  await sql`update person set name = ${name.trim()} where id = ${personId}`.execute(db);
}
