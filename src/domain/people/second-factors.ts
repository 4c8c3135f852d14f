import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { type Secrets, Unopenable } from '../secrets/secrets.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { provePassword } from './own-password.ts';
import { newRecoveryCode, recoveryDigest } from './recovery-codes.ts';
import { endSessions } from './sessions.ts';
import { countAttempt, forgetFailures } from './sign-in-failures.ts';
import { base32, bytesOf, matchingStep, otpauthUri } from './totp.ts';

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;

const place = (personId: string) => ['second_factor', personId];

/** Who proves something of themself: `client` is the address, by which passwords are tried in turn. */
export interface Oneself {
  personId: string;
  /** What the cookie of the session has that goes on. */
  session: string;
  client: string;
}

/** What an authenticator app takes over. */
export interface Offer {
  /** In base32. */
  secret: string;
  uri: string;
}

/**
 * Draws the secret of a second factor, which is none until `enableSecondFactor`; another time, another one. Throws
 * `validation_error` for a wrong password, and if the person has a second factor already.
 */
export async function offerSecondFactor(
  db: Sql,
  secrets: Secrets,
  password: string,
  { personId, client }: Oneself,
): Promise<Offer> {
  const { email } = await provePassword(db, personId, { password, client, field: 'password' });
  const secret = base32(randomBytes(SECRET_BYTES));
  const { numAffectedRows = 0n } = await sql`
    insert into second_factor as f (person_id, secret, last_step, created_at)
    values (${personId}, ${secrets.seal(secret, place(personId))}, 0, now())
    on conflict (person_id) do update set secret = excluded.secret, last_step = 0, created_at = now()
      where f.enabled_at is null`.execute(db);
  if (numAffectedRows === 0n) {
    throw new ServiceError('validation_error', 'You have a second factor; switch that off first');
  }
  return { secret, uri: otpauthUri(secret, email) };
}

/**
 * Has a person prove a second factor from now on, by a first code of it; the other sessions end. Returns the recovery codes,
 * which are shown this once. Throws `validation_error`, and `rate_limit_exceeded` after too many wrong codes.
 */
export async function enableSecondFactor(
  db: Sql,
  secrets: Secrets,
  code: string,
  { personId, session }: Oneself,
): Promise<string[]> {
  return await provingCode(db, personId, async (tx) => {
    await lockPerson(tx, personId);
    const step = await matching(tx, secrets, personId, code);
    const { numAffectedRows = 0n } = await sql`
      update second_factor set enabled_at = now(), last_step = ${step ?? 0}::bigint
      where person_id = ${personId} and enabled_at is null and ${step !== undefined}`.execute(tx);
    if (numAffectedRows === 0n) throw wrongCode();
    await endSessions(tx, personId, { but: session });
    return await drawRecoveryCodes(tx, personId);
  });
}

/** Draws other recovery codes; those of before are void. Throws as `disableSecondFactor`. */
export async function renewRecoveryCodes(
  db: Sql,
  secrets: Secrets,
  given: { password: string; code: string },
  { personId, client }: Oneself,
): Promise<string[]> {
  await provePassword(db, personId, { password: given.password, client, field: 'password' });
  return await provingCode(db, personId, async (tx) => {
    await expectCode(tx, secrets, personId, given.code);
    return await drawRecoveryCodes(tx, personId);
  });
}

/** The other sessions end. Throws `validation_error` for a wrong password or code, and `rate_limit_exceeded` after too many. */
export async function disableSecondFactor(
  db: Sql,
  secrets: Secrets,
  given: { password: string; code: string },
  { personId, session, client }: Oneself,
): Promise<void> {
  await provePassword(db, personId, { password: given.password, client, field: 'password' });
  await provingCode(db, personId, async (tx) => {
    await expectCode(tx, secrets, personId, given.code);
    await dropSecondFactor(tx, personId);
    await endSessions(tx, personId, { but: session });
  });
}

/** Returns whether there was one, if only offered. */
export async function dropSecondFactor(tx: Sql, personId: string): Promise<boolean> {
  await sql`delete from recovery_code where person_id = ${personId}`.execute(tx);
  const { numAffectedRows = 0n } = await sql`delete from second_factor where person_id = ${personId}`.execute(tx);
  return numAffectedRows > 0n;
}

/** Has a sign-in that goes on at the same time end before or begin after: what the person has to prove is about to change. */
async function lockPerson(tx: Sql, personId: string): Promise<void> {
  await sql`select from person where id = ${personId} for update`.execute(tx);
}

/** Whether a person has to prove a second factor, and how many recovery codes are left. */
export async function readSecondFactor(
  db: Sql,
  personId: string,
): Promise<{ isEnabled: boolean; recoveryCodes: number }> {
  const { rows } = await sql<{ isEnabled: boolean; recoveryCodes: number }>`
    select enabled_at is not null as "isEnabled",
      (select count(*)::int from recovery_code c where c.person_id = f.person_id) as "recoveryCodes"
    from second_factor f where person_id = ${personId}`.execute(db);
  return rows[0] ?? { isEnabled: false, recoveryCodes: 0 };
}

/**
 * Whether a code is that of the person's app, or one of the recovery codes; from then on it is neither again, also where two
 * try it at the same time.
 */
export async function acceptCode(tx: Sql, secrets: Secrets, personId: string, code: string): Promise<boolean> {
  const step = await matching(tx, secrets, personId, code);
  if (step !== undefined) {
    const { numAffectedRows = 0n } = await sql`
      update second_factor set last_step = ${step}
      where person_id = ${personId} and enabled_at is not null and last_step < ${step}::bigint`.execute(tx);
    return numAffectedRows > 0n;
  }
  const { numAffectedRows = 0n } = await sql`
    delete from recovery_code where person_id = ${personId} and digest = ${recoveryDigest(personId, asTyped(code))}`.execute(
    tx,
  );
  return numAffectedRows > 0n;
}

/** Codes are counted as passwords are; right ones forget what was wrong before. */
async function provingCode<Result>(db: Sql, personId: string, work: (tx: Sql) => Promise<Result>): Promise<Result> {
  const subject = `code of ${personId}`;
  await countAttempt(db, subject);
  return await db.transaction().execute(async (tx) => {
    const result = await work(tx);
    await forgetFailures(tx, subject);
    return result;
  });
}

async function expectCode(tx: Sql, secrets: Secrets, personId: string, code: string): Promise<void> {
  if (!(await acceptCode(tx, secrets, personId, code))) throw wrongCode();
}

const wrongCode = () => invalid({ path: ['code'], problem: 'is not right, or was used already' });

/** Apps and people set codes in groups. */
const asTyped = (code: string) => code.replaceAll(/[\s-]/g, '');

async function matching(tx: Sql, secrets: Secrets, personId: string, code: string): Promise<number | undefined> {
  const { rows } = await sql<{ secret: string }>`
    select secret from second_factor where person_id = ${personId}`.execute(tx);
  const sealed = rows[0]?.secret;
  const typed = asTyped(code);
  if (sealed === undefined || !/^\d{6}$/.test(typed)) return undefined;
  try {
    return matchingStep(bytesOf(secrets.open(sealed, place(personId))), typed, Date.now());
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    throw new ServiceError(
      'unauthorized',
      'Codes of an app can not be checked, as the service lacks the SECRET_KEY of when it was set up. Use a recovery code, or have the second factor reset.',
      { cause: error },
    );
  }
}

async function drawRecoveryCodes(tx: Sql, personId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await sql`delete from recovery_code where person_id = ${personId}`.execute(tx);
  await sql`
    insert into recovery_code (person_id, digest)
    select ${personId}, unnest(${codes.map((code) => recoveryDigest(personId, code))}::bytea[])`.execute(tx);
  return codes;
}
