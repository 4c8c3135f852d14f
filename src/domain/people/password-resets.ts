import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { ServiceError } from '../service-error.ts';
import { expectMayGive, expectMayManage, lockPeople, type Manager } from './managers.ts';
import { hashNewPassword } from './own-password.ts';
import { findMember, type Member } from './people.ts';
import { IS_STRANDED } from './providers/stranded.ts';
import { dropSecondFactor } from './second-factors.ts';
import { endSessions } from './sessions.ts';
import { forgetFailures, subjectOf } from './sign-in-failures.ts';
import { digestOfToken, isToken, newToken } from './tokens.ts';

const MINUTES = 60;

export interface PasswordReset {
  /** What the link ends in. */
  token: string;
  expiresAt: Date;
}

/** The link of a reset. What is behind # is sent to no server, and so reaches no log. */
export function resetLink(base: string, token: string): string {
  return `${base}/dashboard/reset#${token}`;
}

/**
 * Makes a link by which a person of a store chooses another password; undefined if there is no such person. Throws
 * `forbidden` for whom the caller's role may not touch, and `validation_error` for the caller and for somebody who is in
 * other stores too.
 */
export async function resetPassword(
  db: Sql,
  storeId: string,
  { personId, by }: { personId: string; by: Manager },
): Promise<PasswordReset | undefined> {
  return await db.transaction().execute(async (tx) => {
    const member = await expectHelpable(tx, storeId, personId, by);
    return member && (await insertReset(tx, personId, { storeId, madeBy: by.actor.id }));
  });
}

/** Has the operator make one for whoever has an e-mail address; undefined if nobody has it. */
export async function resetPasswordOf(db: Sql, email: string): Promise<PasswordReset | undefined> {
  return await db.transaction().execute(async (tx) => {
    const person = await findPerson(tx, email);
    return person && (await insertReset(tx, person.id, { storeId: null, madeBy: null }));
  });
}

/** Takes the second factor from a person of a store, and ends all sessions. The same refusals as of `resetPassword`. */
export async function resetSecondFactor(
  db: Sql,
  storeId: string,
  { personId, by }: { personId: string; by: Manager },
): Promise<Member | undefined> {
  return await db.transaction().execute(async (tx) => {
    if (!(await expectHelpable(tx, storeId, personId, by))) return undefined;
    if (await dropSecondFactor(tx, personId)) await endSessions(tx, personId);
    return await findMember(tx, storeId, personId);
  });
}

/** Has the operator take it from whoever has an e-mail address; false if nobody has it. */
export async function resetSecondFactorOf(db: Sql, email: string): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const person = await findPerson(tx, email);
    if (person && (await dropSecondFactor(tx, person.id))) await endSessions(tx, person.id);
    return person !== undefined;
  });
}

/** Whose password a link changes; throws `not_found` for one that was used or replaced, or has expired. */
export async function readReset(db: Sql, token: string): Promise<{ personId: string; email: string; name: string }> {
  const { rows } = isToken(token)
    ? await sql<{ personId: string; email: string; name: string }>`
        select p.id as "personId", p.email, p.name from password_reset r join person p on p.id = r.person_id
        where r.digest = ${digestOfToken(token)} and r.expires_at > now() and ${IS_OF_STORE}`.execute(db)
    : { rows: [] };
  const [found] = rows;
  if (!found) throw new ServiceError('not_found', 'This link is not valid any more. Ask for another.');
  return found;
}

/** Who has come into another store meanwhile is not in the hands of one alone. */
const IS_OF_STORE = sql`(
  r.store_id is null or (
    exists (select from membership m where m.person_id = r.person_id and m.store_id = r.store_id)
    and not exists (select from membership m where m.person_id = r.person_id and m.store_id <> r.store_id)
  ))`;

/**
 * Chooses a new password by a link, once; all sessions end, and a second factor stays. Throws `not_found` as `readReset`
 * does, and `validation_error` for a weak password.
 */
export async function choosePassword(
  db: Sql,
  { token, password, client }: { token: string; password: string; client: string },
): Promise<void> {
  const { personId, email, name } = await readReset(db, token);
  const hashed = await hashNewPassword(password, [email, name], client);
  await db.transaction().execute(async (tx) => {
    await sql`select from person where id = ${personId} for update`.execute(tx);
    await readReset(tx, token);
    await sql`delete from password_reset where person_id = ${personId}`.execute(tx);
    await sql`update person set password = ${hashed} where id = ${personId}`.execute(tx);
    await endSessions(tx, personId);
    await forgetFailures(tx, subjectOf(email));
  });
}

/**
 * Returns a person of a store whom somebody may help to sign in again. What is of other stores too is not in the hands of one:
 * whoever helps could sign in there.
 */
async function expectHelpable(tx: Sql, storeId: string, personId: string, by: Manager): Promise<Member | undefined> {
  const own = await lockPeople(tx, storeId, by);
  const member = await findMember(tx, storeId, personId);
  if (!member) return undefined;
  expectMayManage(own, member.role, 'help an owner to sign in');
  expectMayGive(by, own, member.role);
  if (personId === by.actor.id) throw new ServiceError('validation_error', 'Change your own under Your account');
  const { rows: without } = await sql<{ isStranded: boolean }>`
    select ${IS_STRANDED} as "isStranded" from person p join membership m on m.person_id = p.id
    where p.id = ${personId} and m.store_id = ${storeId} and p.provider_store_id is not null`.execute(tx);
  if (without[0]) {
    throw new ServiceError(
      'validation_error',
      without[0].isStranded
        ? 'The person came by an identity provider that the store has no more, and has no password; invite them again'
        : 'The person signs in by the identity provider, and has no password',
    );
  }
  const { rows } = await sql`
    select from membership where person_id = ${personId} and store_id <> ${storeId} limit 1`.execute(tx);
  if (rows.length === 0) return member;
  throw new ServiceError('validation_error', 'The person is in other stores too; only the operator can reset that');
}

async function findPerson(tx: Sql, email: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from person where email = ${email.trim().toLowerCase()} for update`.execute(tx);
  return rows[0];
}

/** The link before is void. */
async function insertReset(
  tx: Sql,
  personId: string,
  { storeId, madeBy }: { storeId: string | null; madeBy: string | null },
): Promise<PasswordReset> {
  const token = newToken();
  await sql`delete from password_reset where person_id = ${personId}`.execute(tx);
  const { rows } = await sql<{ expires: number }>`
    insert into password_reset (digest, person_id, store_id, made_by, created_at, expires_at)
    values (${digestOfToken(token)}, ${personId}, ${storeId}, ${madeBy}, now(),
      now() + make_interval(mins => ${MINUTES}::int))
    returning (extract(epoch from expires_at) * 1000)::float8 as expires`.execute(tx);
  return { token, expiresAt: new Date((rows[0] as { expires: number }).expires) };
}
