import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Role } from '../caller.ts';
import { hasSecondFactor } from './has-second-factor.ts';
import { letsPasswordIn } from './providers/lets-password-in.ts';
import { digestOfToken, newToken } from './tokens.ts';

/** Hours without a request after which a session ends, and days after which it ends in any case. */
export const IDLE_HOURS = 12;
export const SESSION_DAYS = 14;
/** Sessions that a person has at once; of more, the oldest end. */
const MOST = 20;

/** A session that neither is idle nor has ended. */
export const IS_LIVE = sql`seen_at > now() - make_interval(hours => ${sql.lit(IDLE_HOURS)}) and expires_at > now()`;

/** Where somebody signs in. */
export interface From {
  /** Of the client. */
  address: string;
  /** What its program says of itself. */
  userAgent: string;
}

/**
 * Begins a session, and returns what its cookie has. One by the store's identity provider is bound to the store, and apart from all
 * others of the person: it ends none of them.
 */
export async function beginSession(
  tx: Sql,
  storeId: string,
  personId: string,
  { address, userAgent }: From,
  { isByProvider = false } = {},
): Promise<string> {
  const token = newToken();
  const provider = isByProvider ? storeId : null;
  await sql`
    insert into person_session (digest, store_id, person_id, address, user_agent, created_at, seen_at, expires_at,
      provider_store_id)
    values (${digestOfToken(token)}, ${storeId}, ${personId}, ${address}, ${userAgent}, now(), now(),
      now() + make_interval(days => ${SESSION_DAYS}::int), ${provider})`.execute(tx);
  await sql`
    delete from person_session where digest in (
      select digest from person_session where person_id = ${personId} and provider_store_id is not distinct from ${provider}::uuid
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
 * the former one is of the former store. Undefined if there is no such session or membership, for a session by a provider, and for
 * a store that lets nobody in by a password.
 */
export async function switchStore(db: Sql, token: string, storeId: string): Promise<string | undefined> {
  const next = newToken();
  const { numAffectedRows = 0n } = await sql`
    update person_session s set store_id = ${storeId}, digest = ${digestOfToken(next)}
    where digest = ${digestOfToken(token)} and ${IS_LIVE} and provider_store_id is null
      and ${letsPasswordIn(storeId, sql.ref('s.person_id'))}
      and exists (select from membership m where m.person_id = s.person_id and m.store_id = ${storeId})`.execute(db);
  return numAffectedRows > 0n ? next : undefined;
}

/** Whether the store lets a session `n` in: by its provider, or by a password. */
export const IS_LET_IN = sql`(
  n.provider_store_id is not null or ${letsPasswordIn(sql.ref('n.store_id'), sql.ref('n.person_id'))})`;

/** Whether a session `n` lacks the second factor that its store `s` asks for, which a provider sees to by itself. */
export const LACKS_SECOND_FACTOR = sql<boolean>`(
  s.requires_second_factor and n.provider_store_id is null and not ${hasSecondFactor(sql.ref('n.person_id'))})`;

/** What a session was known to show: `session` is its digest in base64. */
export interface ShownSession {
  session: string;
  storeId: string;
  role: Role;
}

/**
 * Returns those of some sessions that have ended, that show another store, or that it does not let in any more, or whose person
 * has another role in it, none, or not the second factor that it asks for.
 */
export async function endedSessions<Shown extends ShownSession>(db: Sql, shown: readonly Shown[]): Promise<Shown[]> {
  const digests = shown.map(({ session }) => Buffer.from(session, 'base64'));
  const { rows } = await sql<ShownSession>`
    select encode(n.digest, 'base64') as session, n.store_id as "storeId", m.role
    from person_session n
    join membership m on m.store_id = n.store_id and m.person_id = n.person_id
    join store s on s.id = n.store_id
    where n.digest = any(${digests}::bytea[]) and ${IS_LIVE} and ${IS_LET_IN} and not ${LACKS_SECOND_FACTOR}`.execute(
    db,
  );
  const live = new Map(rows.map((row) => [row.session, row]));
  return shown.filter(({ session, storeId, role }) => {
    const now = live.get(session);
    return now?.storeId !== storeId || now.role !== role;
  });
}

/** A session as its person sees it. */
export interface OwnSession extends From {
  /** Its digest, in base64url. */
  id: string;
  /** What the store that it shows is called. */
  store: string;
  createdAt: Date;
  seenAt: Date;
  isThis: boolean;
}

/**
 * The sessions of a person that go on, last seen first; `token` is that of the one in which it is asked. With `provider`, the store of
 * one by its provider, those alone; otherwise those of all stores.
 */
export async function listSessions(
  db: Sql,
  personId: string,
  token: string,
  provider: string | undefined,
): Promise<OwnSession[]> {
  interface Found extends From {
    digest: Buffer;
    store: string;
    created: number;
    seen: number;
  }
  const { rows } = await sql<Found>`
    select n.digest, n.address, n.user_agent as "userAgent", coalesce(s.display_name, s.name) as store,
      (extract(epoch from n.created_at) * 1000)::float8 as created, (extract(epoch from seen_at) * 1000)::float8 as seen
    from person_session n join store s on s.id = n.store_id
    where n.person_id = ${personId} and ${IS_LIVE}
      and (${provider ?? null}::uuid is null or provider_store_id = ${provider ?? null}::uuid) order by seen_at desc limit ${MOST}`.execute(
    db,
  );
  const own = digestOfToken(token);
  return rows.map(({ digest, created, seen, ...row }) => ({
    ...row,
    id: digest.toString('base64url'),
    createdAt: new Date(created),
    seenAt: new Date(seen),
    isThis: digest.equals(own),
  }));
}

/** Ends a session of a person, by its id, of those that `listSessions` lists; false if there is none. */
export async function endOwnSession(
  db: Sql,
  personId: string,
  id: string,
  provider: string | undefined,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from person_session where person_id = ${personId} and digest = ${Buffer.from(id, 'base64url')}
      and (${provider ?? null}::uuid is null or provider_store_id = ${provider ?? null}::uuid)`.execute(db);
  return numAffectedRows > 0n;
}
