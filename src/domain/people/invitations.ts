import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Row } from '../../db/tables.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { idCursor, type Page, type PageRequest, readIdCursor, toPage } from '../reading/cursor.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { hasSecondFactor } from './has-second-factor.ts';
import { expectMayGive, expectMayManage, lockPeople, lockStore, type Manager } from './managers.ts';
import { hashNewPassword } from './own-password.ts';
import { leaveStore } from './people.ts';
import { keepPasswordOf } from './providers/identity-provider.ts';
import { IS_STRANDED, mayReplaceStranded } from './providers/stranded.ts';
import type { Role } from './roles.ts';
import { dropSecondFactor } from './second-factors.ts';
import { beginSession, endSessions, type From } from './sessions.ts';
import { confirmIdentity, provesIdentity } from './sign-in.ts';
import { subjectOf } from './sign-in-failures.ts';
import { digestOfToken, isToken, newToken } from './tokens.ts';

/** Hours for which a link is valid: that of the operator, which makes owners, and those of colleagues. */
const HOURS = { operator: 24, colleague: 7 * 24 };
/** Open invitations of a store. */
const MOST_OPEN = 100;

export interface Invitation {
  id: string;
  email: string | null;
  role: Role;
  createdAt: Date;
  expiresAt: Date;
}

interface InvitationRow extends Pick<Invitation, 'id' | 'email' | 'role'> {
  /** Milliseconds of Unix time. */
  created: number;
  expires: number;
}

const COLUMNS = sql`
  id, email, role, (extract(epoch from created_at) * 1000)::float8 as created,
  (extract(epoch from expires_at) * 1000)::float8 as expires`;

function toInvitation({ created, expires, ...row }: InvitationRow): Invitation {
  return { ...row, createdAt: new Date(created), expiresAt: new Date(expires) };
}

/** Has the operator invite an owner of a store, whoever has the link; returns what that ends in. */
export async function inviteOwner(db: Sql, storeId: string): Promise<string> {
  const { token } = await insertInvitation(db, storeId, { email: null, role: 'owner' }, null, HOURS.operator);
  return token;
}

/** The link of the operator's invitation. What is behind # is sent to no server, and so reaches no log. */
export function setupLink(base: string, token: string): string {
  return `${base}/dashboard/setup#${token}`;
}

/** A link of the operator that is open. */
export interface OwnerLink {
  id: string;
  storeId: string;
  /** Its name. */
  store: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** The operator's links that are open, newest first, without what they end in. */
export async function listOwnerLinks(db: Sql): Promise<OwnerLink[]> {
  const { rows } = await sql<{ id: string; storeId: string; store: string; expires: number }>`
    select i.id, i.store_id as "storeId", s.name as store, (extract(epoch from expires_at) * 1000)::float8 as expires
    from invitation i join store s on s.id = i.store_id
    where i.invited_by is null and i.expires_at > now() order by i.id desc limit 1000`.execute(db);
  return rows.map(({ expires, ...row }) => ({ ...row, expiresAt: new Date(expires).toISOString() }));
}

/** Has a link of the operator lead nowhere, if it is open still. */
export async function revokeOwnerLink(db: Sql, { storeId, id }: Pick<OwnerLink, 'storeId' | 'id'>): Promise<void> {
  await sql`delete from invitation where store_id = ${storeId} and id = ${id} and invited_by is null`.execute(db);
}

/**
 * Invites somebody to a store, or again whoever came by an identity provider that it has no more. Throws `validation_error` for
 * another member and for one invitation too many, and `forbidden`.
 */
export async function invite(
  tx: Sql,
  storeId: string,
  { email: asTyped, role }: { email: string; role: Role },
  by: Manager,
): Promise<{ invitation: Invitation; token: string }> {
  const email = asTyped.trim().toLowerCase();
  expectMayGive(by, await lockPeople(tx, storeId, by), role);
  const { rows } = await sql<{ open: number; isMember: boolean }>`
    select
      (
        select count(*)::int from invitation
        where store_id = ${storeId} and expires_at > now() and invited_by is not null
      ) as open,
      exists (
        select from person p join membership m on m.person_id = p.id
        where m.store_id = ${storeId} and coalesce(p.provider_email, p.email) = ${email}
          and not (${IS_STRANDED} and ${mayReplaceStranded(role)})
      ) as "isMember"`.execute(tx);
  const { open, isMember } = rows[0] as { open: number; isMember: boolean };
  if (isMember) throw invalid({ path: ['email'], problem: 'is that of somebody who is in the store already' });
  if (open >= MOST_OPEN) {
    throw new ServiceError('validation_error', `The store has ${MOST_OPEN} open invitations; revoke one first`);
  }
  return await insertInvitation(tx, storeId, { email, role }, by.actor.id, HOURS.colleague);
}

async function insertInvitation(
  db: Sql,
  storeId: string,
  { email, role }: Pick<Invitation, 'email' | 'role'>,
  by: string | null,
  hours: number,
): Promise<{ invitation: Invitation; token: string }> {
  const token = newToken();
  const { rows } = await sql<InvitationRow>`
    insert into invitation (store_id, id, digest, email, role, invited_by, created_at, expires_at)
    values (${storeId}, ${newId()}, ${digestOfToken(token)}, ${email}, ${role}, ${by}, now(),
      now() + make_interval(hours => ${hours}::int))
    returning ${COLUMNS}`.execute(db);
  return { invitation: toInvitation(rows[0] as InvitationRow), token };
}

/** The open invitations of a store, newest first. */
export async function listInvitations(
  db: Sql,
  storeId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<Invitation>> {
  const before = cursor === undefined ? null : readIdCursor(cursor);
  const { rows } = await sql<InvitationRow>`
    select ${COLUMNS} from invitation
    where store_id = ${storeId} and expires_at > now() and invited_by is not null
      and (${before}::uuid is null or id < ${before}::uuid)
    order by id desc limit ${limit + 1}`.execute(db);
  return toPage<InvitationRow & { candidates?: never }, Invitation>(rows, limit, toInvitation, idCursor);
}

/** Revokes an open invitation, by which nobody can join any more; undefined if there is none. Throws `forbidden`. */
export async function revokeInvitation(
  db: Sql,
  storeId: string,
  { id, by }: { id: string; by: Manager },
): Promise<Invitation | undefined> {
  return await db.transaction().execute(async (tx) => {
    const own = await lockPeople(tx, storeId, by);
    const { rows } = await sql<InvitationRow>`
      delete from invitation
      where store_id = ${storeId} and id = ${id} and expires_at > now() and invited_by is not null
      returning ${COLUMNS}`.execute(tx);
    const [revoked] = rows.map(toInvitation);
    if (revoked) expectMayManage(own, revoked.role, 'revoke the invitation of an owner');
    return revoked;
  });
}

export interface Acceptance {
  token: string;
  /** Where the invitation names none. */
  email: string | undefined;
  name: string | undefined;
  password: string;
  /** Of the second factor, of whoever has one. */
  code: string | undefined;
  /** What the browser is known by if this e-mail address has signed in there before: failures elsewhere count apart. */
  knownAs: (email: string) => string | undefined;
  /** Passwords are tried in turn by its address. */
  from: From;
}

interface Open extends Pick<Row<'invitation'>, 'email'> {
  storeId: string;
  storeName: string;
  role: Role;
  /** Whether somebody has the e-mail address who is in another store, and so has a password. */
  hasPassword: boolean;
  /** Whether the operator has invited. */
  isOperators: boolean;
  /** Whether people may come in by the store's identity provider, and whether they have to. */
  provider: 'none' | 'offered' | 'required';
}

/** What an invitation is to; throws `not_found` for one that was revoked, accepted or has expired. */
export async function readInvitation(db: Sql, token: string): Promise<Open> {
  const { rows } = isToken(token)
    ? await sql<Open>`
        select i.store_id as "storeId", coalesce(s.display_name, s.name) as "storeName", i.email, i.role,
          exists (
            select from person p join membership m on m.person_id = p.id where p.email = i.email
          ) as "hasPassword",
          i.invited_by is null as "isOperators",
          case
            when v.store_id is null or i.invited_by is null then 'none'
            when v.break_glass_id is null then 'offered'
            else 'required'
          end as provider
        from invitation i
        join store s on s.id = i.store_id
        left join identity_provider v on v.store_id = i.store_id
        where i.digest = ${digestOfToken(token)} and i.expires_at > now()`.execute(db)
    : { rows: [] };
  const [open] = rows;
  if (!open) throw new ServiceError('not_found', 'This link is not valid any more. Ask for another.');
  return open;
}

/**
 * Makes somebody a member of a store, once for each invitation, and signs them in; returns what the cookie has, or none where
 * a code of the second factor is wanted beside the password. Who is in another store signs in with the password from there;
 * anybody else chooses one. Throws `validation_error`, `unauthorized`, `not_found`, `rate_limit_exceeded`, and `forbidden` where
 * people come in by the store's identity provider alone.
 */
export async function acceptInvitation(
  db: Sql,
  secrets: Secrets,
  given: Acceptance,
): Promise<{ token: string | undefined; email: string }> {
  const open = await readInvitation(db, given.token);
  if (open.provider === 'required') {
    throw new ServiceError('forbidden', 'This store is joined with the account of your company alone');
  }
  const email = (open.email ?? given.email?.trim().toLowerCase()) || undefined;
  if (email === undefined) throw invalid({ path: ['email'], problem: 'is required' });
  const { password, code, from } = given;
  const known = await findMember(db, email);
  const proof = { subject: subjectOf(email, given.knownAs(email)), password, code, client: from.address };
  if (known && !(await provesIdentity(db, known, proof))) return { token: undefined, email };
  const fresh = known ? undefined : await newCredentials(email, given);
  const token = await db.transaction().execute(async (tx) => {
    await lockStore(tx, open.storeId);
    await useUp(tx, given.token, email);
    if (known) await confirmIdentity(tx, secrets, known, proof);
    const former = await takeStranded(tx, open, email);
    const personId = known?.id ?? (await savePerson(tx, email, fresh as Fresh, former));
    await join(tx, open, personId);
    if (open.isOperators) await keepPasswordOf(tx, open.storeId, personId);
    return await beginSession(tx, open.storeId, personId, from);
  });
  return { token, email };
}

/** Takes an invitation, and with it the others of the same person; and where it is the operator's, all others of the operator. */
async function useUp(tx: Sql, token: string, email: string): Promise<void> {
  const { rows } = await sql`
    with used as (
      delete from invitation where digest = ${digestOfToken(token)} returning id, store_id, invited_by
    ), others as (
      delete from invitation i using used u
      where i.store_id = u.store_id and i.id <> u.id
        and (i.email = ${email} or (i.invited_by is null and u.invited_by is null))
    )
    select from used`.execute(tx);
  if (rows.length === 0) throw new ServiceError('not_found', 'This link is not valid any more. Ask for another.');
}

/** Who has joined meanwhile by another way keeps that role, unless this one may do more. */
async function join(tx: Sql, { storeId, role }: Open, personId: string): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    insert into membership as m (store_id, person_id, role, created_at) values (${storeId}, ${personId}, ${role}, now())
    on conflict (store_id, person_id) do update set role = excluded.role
      where m.role <> excluded.role
        and (excluded.role = 'owner' or (excluded.role = 'admin' and m.role <> 'owner'))`.execute(tx);
  if (numAffectedRows > 0n) await endSessions(tx, personId, { storeId });
}

/** Who has an e-mail address and is in a store. */
async function findMember(
  db: Sql,
  email: string,
): Promise<{ id: string; password: string; needsCode: boolean } | undefined> {
  const { rows } = await sql<{ id: string; password: string; needsCode: boolean }>`
    select id, password, ${hasSecondFactor(sql.ref('p.id'))} as "needsCode" from person p
    where email = ${email} and exists (select from membership m where m.person_id = p.id)`.execute(db);
  return rows[0];
}

interface Fresh {
  name: string;
  password: string;
}

async function newCredentials(email: string, { name = '', password, from }: Acceptance): Promise<Fresh> {
  if (name.trim() === '') throw invalid({ path: ['name'], problem: 'is required' });
  return { name: name.trim(), password: await hashNewPassword(password, [email, name.trim()], from.address) };
}

/**
 * Ends the membership of whoever came with an address by an identity provider that the store has no more; returns the id, if there is
 * somebody.
 */
async function takeStranded(tx: Sql, { storeId, role }: Open, email: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select p.id from membership m join person p on p.id = m.person_id
    where m.store_id = ${storeId} and p.provider_email = ${email} and ${IS_STRANDED} and ${mayReplaceStranded(role)}
    order by m.created_at`.execute(tx);
  for (const { id } of rows) {
    await leaveStore(tx, storeId, { id, email });
    await sql`delete from person_identity where store_id = ${storeId} and person_id = ${id}`.execute(tx);
  }
  return rows[0]?.id;
}

/**
 * Whoever came by a provider before stays who they were, with a password. Whoever comes with the address of somebody who is in no
 * store any more is another person.
 */
async function savePerson(
  tx: Sql,
  email: string,
  { name, password }: Fresh,
  former: string | undefined,
): Promise<string> {
  await leaveAddress(tx, email);
  const { rows } = await sql<{ id: string }>`
    insert into person (id, email, name, password, created_at)
    values (${former ?? newId()}, ${email}, ${name}, ${password}, now())
    ${
      former === undefined
        ? sql`on conflict (email) do nothing`
        : sql`on conflict (id) do update set email = excluded.email, name = excluded.name, password = excluded.password,
            provider_store_id = null, provider_email = null
          where not exists (select from person p where p.email = excluded.email)`
    }
    returning id`.execute(tx);
  if (!rows[0]) throw invalid({ path: ['email'], problem: 'is that of somebody who has just joined; try again' });
  return rows[0].id;
}

/** Whoever had an address and is in no store any more keeps what they did by name, and is not who comes with it now. */
async function leaveAddress(tx: Sql, email: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update person p set email = p.id::text || '@left.invalid', password = ''
    where p.email = ${email} and not exists (select from membership m where m.person_id = p.id)
    returning p.id`.execute(tx);
  for (const { id } of rows) {
    await endSessions(tx, id);
    await dropSecondFactor(tx, id);
  }
}
