import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { ServiceError } from '../service-error.ts';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';
import { beginSession, endSession } from './sessions.ts';
import { countedAttempt, forgetFailures } from './sign-in-failures.ts';

/** What is said of every attempt that fails, whatever is wrong with it. */
const REFUSAL = 'The e-mail address or the password is not right';

export interface Credentials {
  /** In any case. */
  email: string;
  password: string;
}

interface Asking {
  /** What the browser is known by, if this e-mail address has signed in there before: nobody else can lock it out. */
  knownAs: string | undefined;
  /** The session that the browser has, which ends. */
  former: string | undefined;
  /** The address of the client, by which passwords are tried in turn. */
  client: string;
}

interface Found {
  id: string;
  password: string;
  storeId: string | null;
}

/**
 * Signs a person in, and returns what the cookie of the session has. Throws `unauthorized`, after the same work and with
 * the same words whether or not there is such a person, and `rate_limit_exceeded` after too many failures.
 */
export async function signInPerson(
  db: Sql,
  { email: asTyped, password }: Credentials,
  { knownAs, former, client }: Asking,
): Promise<string> {
  const email = asTyped.trim().toLowerCase();
  const subject = subjectOf(email, knownAs);
  const person = await findPerson(db, email);
  const isRight = await countedAttempt(db, subject, () => verifyPassword(password, person?.password, client));
  if (!person || !isRight || person.storeId === null) throw new ServiceError('unauthorized', REFUSAL);
  // While too many others are hashed, it stays as it is until the next time.
  const better = isOutdated(person.password) ? await hashPassword(password, client).catch(() => undefined) : undefined;
  const storeId = person.storeId;
  return await db.transaction().execute(async (tx) => {
    await forgetFailures(tx, subject);
    // Not if the password has changed meanwhile: the sessions of the one before have ended.
    const { rows } = await sql`
      select from person where id = ${person.id} and password = ${person.password} for update`.execute(tx);
    if (rows.length === 0) throw new ServiceError('unauthorized', REFUSAL);
    if (better) await sql`update person set password = ${better} where id = ${person.id}`.execute(tx);
    if (former) await endSession(tx, former);
    return await beginSession(tx, storeId, person.id);
  });
}

/** What failures are counted under: those of a browser that is known, apart from those of all others. */
export function subjectOf(email: string, knownAs?: string): string {
  return knownAs === undefined ? email : `${email} ${knownAs}`;
}

/** With the store that the person joined first; null if the person is a member of none any more. */
async function findPerson(db: Sql, email: string): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select id, password, (
      select store_id from membership m where m.person_id = p.id order by created_at, store_id limit 1
    ) as "storeId"
    from person p where email = ${email}`.execute(db);
  return rows[0];
}
