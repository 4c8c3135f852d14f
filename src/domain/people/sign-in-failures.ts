import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { PeriodicTask } from '../../engine/periodic.ts';
import { ServiceError } from '../service-error.ts';
import { digestOfToken } from './tokens.ts';

/** Attempts that nobody waits for. */
const FREE = 5;
/** Seconds that somebody waits at most until the next attempt. */
const LONGEST = 900;

/**
 * Whether a password is right, by what tries it, counted as an attempt of the subject unless that takes it back. Whoever is refused
 * before the password is tried, as too many others are being tried, has made none. Throws `rate_limit_exceeded`, and what
 * `tryIt` throws.
 */
export async function countedAttempt(
  db: Sql,
  subject: string,
  tryIt: (uncount: () => Promise<void>) => Promise<boolean>,
): Promise<boolean> {
  const uncount = await countAttempt(db, subject);
  try {
    return await tryIt(uncount);
  } catch (error) {
    await uncount();
    throw error;
  }
}

/**
 * Counts an attempt to prove who one is before it is tried, so that many at the same time are no more than one after the other: from
 * the fifth failure on, the next has to wait for twice as long as the one before. `subject` is the e-mail address, whether
 * or not somebody has it, or what a browser of that person is known by. Returns what takes the attempt back. Throws
 * `rate_limit_exceeded`.
 */
export async function countAttempt(db: Sql, subject: string): Promise<() => Promise<void>> {
  const digest = digestOfToken(subject);
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_failure as f (digest, failures, last_at, blocked_until) values (${digest}, 1, now(), now())
    on conflict (digest) do update set
      failures = least(f.failures + 1, 1000),
      last_at = now(),
      blocked_until = now() + case
        when f.failures + 1 < ${FREE}::int then interval '0'
        else make_interval(secs => least(${LONGEST}::int, 2 ^ least(f.failures + 1 - ${FREE}::int + 1, 20)))
      end
    where f.blocked_until <= now()::timestamptz(3)
    returning failures`.execute(db);
  const failures = rows[0]?.failures;
  if (failures !== undefined) return () => uncountAttempt(db, subject, failures);
  const { rows: found } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from blocked_until - now()))::int as seconds from sign_in_failure
    where digest = ${digest}`.execute(db);
  const retryAfter = Math.max(1, found[0]?.seconds ?? 1);
  throw new ServiceError('rate_limit_exceeded', 'Too many failed attempts; try again later', { retryAfter });
}

/** Takes an attempt back, and the wait that it led to unless another has been counted since. */
async function uncountAttempt(db: Sql, subject: string, counted: number): Promise<void> {
  await sql`
    update sign_in_failure set
      failures = greatest(failures - 1, 0),
      blocked_until = case when failures = ${counted}::int then now() else blocked_until end
    where digest = ${digestOfToken(subject)}`.execute(db);
}

/** What failures are counted under: those of a browser that is known, apart from those of all others. */
export function subjectOf(email: string, knownAs?: string): string {
  return knownAs === undefined ? email : `${email} ${knownAs}`;
}

/** Forgets the failures of somebody who has signed in. */
export async function forgetFailures(db: Sql, subject: string): Promise<void> {
  await sql`delete from sign_in_failure where digest = ${digestOfToken(subject)}`.execute(db);
}

/** Deletes sessions, invitations and links for new passwords that have ended, and failures of a day ago. */
export function deletionOfEnded(shared: Sql): PeriodicTask {
  return {
    failure: 'sessions and invitations that have ended not deleted',
    everyMs: 600_000,
    async run() {
      await sql`delete from sign_in_failure where last_at < now() - interval '1 day'`.execute(shared);
      await sql`delete from person_session where expires_at < now()`.execute(shared);
      await sql`delete from provider_sign_in where expires_at < now()`.execute(shared);
      await sql`delete from password_reset where expires_at < now()`.execute(shared);
      await sql`delete from invitation where expires_at < now() - interval '30 days'`.execute(shared);
    },
  };
}
