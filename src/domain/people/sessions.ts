import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Role } from '../caller.ts';
import { digestOfToken, newToken } from './tokens.ts';

/** Hours without a request after which a session ends, and days after which it ends in any case. */
export const IDLE_HOURS = 12;
export const SESSION_DAYS = 14;
/** Sessions that a person has at once; of more, the oldest end. */
const MOST = 20;

/** A session that neither is idle nor has ended. */
export const IS_LIVE = sql`seen_at > now() - make_interval(hours => ${sql.lit(IDLE_HOURS)}) and expires_at > now()`;

/** Begins a session, and returns what its cookie has. */
export async function beginSession(tx: Sql, storeId: string, personId: string): Promise<string> {
  const token = newToken();
  await sql`
    insert into person_session (digest, store_id, person_id, created_at, seen_at, expires_at)
    values (${digestOfToken(token)}, ${storeId}, ${personId}, now(), now(), now() + make_interval(days => ${SESSION_DAYS}::int))`.execute(
    tx,
  );
  await sql`
    delete from person_session where digest in (
      select digest from person_session where person_id = ${personId}
      order by created_at desc offset ${MOST}
    )`.execute(tx);
  return token;
}

export async function endSession(db: Sql, token: string): Promise<void> {
  await sql`delete from person_session where digest = ${digestOfToken(token)}`.execute(db);
}

/** Ends the sessions of a person, those of one store, or all but one. */
export async function endSessions(
  tx: Sql,
  personId: string,
  { storeId, but }: { storeId?: string; but?: string } = {},
): Promise<void> {
  await sql`
    delete from person_session
    where person_id = ${personId}
      and (${storeId ?? null}::uuid is null or store_id = ${storeId ?? null}::uuid)
      and (${but ?? null}::text is null or digest <> ${digestOfToken(but ?? '')})`.execute(tx);
}

/**
 * Has a session show another store of its person, and returns what its cookie has from then on: what processes still know of
 * the former one is of the former store. Undefined if there is no such session or membership.
 */
export async function switchStore(db: Sql, token: string, storeId: string): Promise<string | undefined> {
  const next = newToken();
  const { numAffectedRows = 0n } = await sql`
    update person_session s set store_id = ${storeId}, digest = ${digestOfToken(next)}
    where digest = ${digestOfToken(token)} and ${IS_LIVE}
      and exists (select from membership m where m.person_id = s.person_id and m.store_id = ${storeId})`.execute(db);
  return numAffectedRows > 0n ? next : undefined;
}

/** What a session was known to show: `session` is its digest in base64. */
export interface ShownSession {
  session: string;
  storeId: string;
  role: Role;
}

/** Returns those of some sessions that have ended, that show another store, or whose person has another role in it or none. */
export async function endedSessions<Shown extends ShownSession>(db: Sql, shown: readonly Shown[]): Promise<Shown[]> {
  const digests = shown.map(({ session }) => Buffer.from(session, 'base64'));
  const { rows } = await sql<ShownSession>`
    select encode(n.digest, 'base64') as session, n.store_id as "storeId", m.role
    from person_session n
    join membership m on m.store_id = n.store_id and m.person_id = n.person_id
    where n.digest = any(${digests}::bytea[]) and ${IS_LIVE}`.execute(db);
  const live = new Map(rows.map((row) => [row.session, row]));
  return shown.filter(({ session, storeId, role }) => {
    const now = live.get(session);
    return now?.storeId !== storeId || now.role !== role;
  });
}
