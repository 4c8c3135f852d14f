import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { ServiceError } from '../service-error.ts';
import { hasSecondFactor } from './has-second-factor.ts';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';
import { letsPasswordIn } from './providers/lets-password-in.ts';
import { acceptCode } from './second-factors.ts';
import { beginSession, endSession, type From } from './sessions.ts';
import { countedAttempt, forgetFailures, subjectOf } from './sign-in-failures.ts';

/** What is said of every attempt that fails, whatever is wrong with it. */
const REFUSAL = 'The e-mail address or the password is not right';

export interface Credentials {
  /** In any case. */
  email: string;
  password: string;
  /** Of the second factor, of whoever has one. */
  code: string | undefined;
}

interface Asking {
  /** What the browser is known by, if this e-mail address has signed in there before: nobody else can lock it out. */
  knownAs: string | undefined;
  /** The session that the browser has, which ends. */
  former: string | undefined;
  /** Passwords are tried in turn by its address. */
  from: From;
}

interface Found {
  id: string;
  password: string;
  needsCode: boolean;
  storeId: string | null;
  /** Whether the person is in a store, if only in such as let nobody in by a password. */
  isMember: boolean;
}

/**
 * Signs a person in, and returns what the cookie of the session has; undefined where a code of the second factor is wanted
 * beside the password, which is right. Throws `unauthorized`, after the same work and with the same words whether or not
 * there is such a person, `rate_limit_exceeded` after too many failures, and `forbidden` where the password is right and no store
 * lets it in.
 */
export async function signInPerson(
  db: Sql,
  secrets: Secrets,
  { email: asTyped, password, code }: Credentials,
  { knownAs, former, from }: Asking,
): Promise<string | undefined> {
  const email = asTyped.trim().toLowerCase();
  const person = await findPerson(db, email);
  const subject = subjectOf(email, knownAs);
  const proof = { subject, password, code, client: from.address };
  const hasProved = await provesIdentity(db, person?.isMember ? person : undefined, proof);
  if (person?.storeId === null) throw new ServiceError('forbidden', 'Sign in with the account of your company');
  if (!hasProved) return undefined;
  const { id, storeId, password: kept } = person as Found & { storeId: string };
  // While too many others are hashed, it stays as it is until the next time.
  const better = isOutdated(kept) ? await hashPassword(password, from.address).catch(() => undefined) : undefined;
  return await db.transaction().execute(async (tx) => {
    await confirmIdentity(tx, secrets, { id, password: kept }, proof);
    if (better) await sql`update person set password = ${better} where id = ${id}`.execute(tx);
    if (former) await endSession(tx, former);
    return await beginSession(tx, storeId, id, from);
  });
}

/** What somebody gives to show who they are. */
interface Proof {
  /** What failures are counted under. */
  subject: string;
  password: string;
  code: string | undefined;
  client: string;
}

/**
 * Whether somebody has given the password of a person, and a code where one is wanted: false where only that is missing.
 * Counts as an attempt unless that is so. Throws `unauthorized` and `rate_limit_exceeded`.
 */
export async function provesIdentity(
  db: Sql,
  person: Pick<Found, 'password' | 'needsCode'> | undefined,
  { subject, password, code, client }: Proof,
): Promise<boolean> {
  const lacksCode = person?.needsCode === true && code === undefined;
  const isRight = await countedAttempt(db, subject, async (uncount) => {
    const isPassword = await verifyPassword(password, person?.password, client);
    if (isPassword && lacksCode) await uncount();
    return isPassword;
  });
  if (!person || !isRight) throw new ServiceError('unauthorized', REFUSAL);
  return !lacksCode;
}

/**
 * Uses the code up, and forgets failures of before. Throws `unauthorized` for a wrong code, and where the password or what is
 * to be proved has changed meanwhile: the sessions of before have ended.
 */
export async function confirmIdentity(
  tx: Sql,
  secrets: Secrets,
  { id, password }: Pick<Found, 'id' | 'password'>,
  { subject, code }: Proof,
): Promise<void> {
  const { rows: same } = await sql`
    select from person where id = ${id} and password = ${password} for update`.execute(tx);
  const { rows } = await sql<{ needsCode: boolean }>`select ${hasSecondFactor(id)} as "needsCode"`.execute(tx);
  if (same.length === 0) throw new ServiceError('unauthorized', REFUSAL);
  if (rows[0]?.needsCode && !(code !== undefined && (await acceptCode(tx, secrets, id, code)))) {
    throw new ServiceError('unauthorized', 'The code is not right, or was used already');
  }
  await forgetFailures(tx, subject);
}

/** With the store that the person joined first, of those that let the person in by a password; null if none does. */
async function findPerson(db: Sql, email: string): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select id, password, ${hasSecondFactor(sql.ref('p.id'))} as "needsCode", (
      select store_id from membership m
      where m.person_id = p.id and ${letsPasswordIn(sql.ref('m.store_id'), sql.ref('p.id'))}
      order by created_at, store_id limit 1
    ) as "storeId", exists (select from membership m where m.person_id = p.id) as "isMember"
    from person p where email = ${email}`.execute(db);
  return rows[0];
}
