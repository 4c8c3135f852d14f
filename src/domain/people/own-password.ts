import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { invalid } from '../service-error.ts';
import { hashPassword, verifyPassword, weaknessOf } from './passwords.ts';
import { endSessions } from './sessions.ts';
import { countedAttempt, forgetFailures, subjectOf } from './sign-in-failures.ts';

interface Own {
  email: string;
  name: string;
  /** What is kept of the password. */
  kept: string;
}

/**
 * Has a person who is signed in prove the password, before what is as much as it. Throws `validation_error` in a field for a
 * wrong one, and `rate_limit_exceeded` after too many.
 */
export async function provePassword(
  db: Sql,
  personId: string,
  { password, client, field }: { password: string; client: string; field: string },
): Promise<Own> {
  const { rows } = await sql<Own>`
    select email, name, password as kept from person where id = ${personId}`.execute(db);
  const own = rows[0] as Own;
  const subject = subjectOf(own.email, personId);
  if (!(await countedAttempt(db, subject, () => verifyPassword(password, own.kept, client)))) {
    throw invalid({ path: [field], problem: 'is not right' });
  }
  await forgetFailures(db, subject);
  return own;
}

/** Changes the own password, and ends all sessions but the one in which that is done. */
export async function changePassword(
  db: Sql,
  personId: string,
  { current, password, session, client }: { current: string; password: string; session: string; client: string },
): Promise<void> {
  const proof = { password: current, client, field: 'current_password' };
  const { email, name, kept } = await provePassword(db, personId, proof);
  const hashed = await hashNewPassword(password, [email, name], client);
  await db.transaction().execute(async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      update person set password = ${hashed} where id = ${personId} and password = ${kept}`.execute(tx);
    if (numAffectedRows === 0n) throw invalid({ path: ['current_password'], problem: 'has just been changed' });
    await endSessions(tx, personId, { but: session });
  });
}

/** Returns what is kept of a password that somebody chooses. Throws `validation_error` for a weak one. */
export async function hashNewPassword(password: string, known: readonly string[], client: string): Promise<string> {
  const weakness = weaknessOf(
    password,
    known.map((text) => text.toLowerCase()),
  );
  if (weakness) throw invalid({ path: ['password'], problem: weakness });
  return await hashPassword(password, client);
}
