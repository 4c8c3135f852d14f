import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { idCursor, type Page, type PageRequest, readIdCursor, toPage } from '../reading/cursor.ts';
import { ServiceError } from '../service-error.ts';
import { hasSecondFactor } from './has-second-factor.ts';
import { expectMayGive, expectMayManage, lockPeople, type Manager } from './managers.ts';
import { expectNotBreakGlass } from './providers/identity-provider.ts';
import type { Role } from './roles.ts';
import { endSessions } from './sessions.ts';

/** A person as a member of a store. */
export interface Member {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** When the person joined the store. */
  createdAt: Date;
  /** When the person was last seen in the store, in a session that has not ended. */
  seenAt: Date | null;
  hasSecondFactor: boolean;
  /** Whether the person has signed in by the store's identity provider. */
  usesProvider: boolean;
}

interface Row extends Omit<Member, 'createdAt' | 'seenAt'> {
  /** Milliseconds of Unix time. */
  created: number;
  seen: number | null;
}

const toMember = ({ created, seen, ...person }: Row): Member => ({
  ...person,
  createdAt: new Date(created),
  seenAt: seen === null ? null : new Date(seen),
});

const MEMBERS = sql`
  select p.id, coalesce(p.provider_email, p.email) as email, p.name, m.role, (extract(epoch from m.created_at) * 1000)::float8 as created, (
    select (extract(epoch from max(seen_at)) * 1000)::float8
    from person_session s where s.person_id = p.id and s.store_id = m.store_id
  ) as seen, ${hasSecondFactor(sql.ref('p.id'))} as "hasSecondFactor",
  exists (select from person_identity i where i.store_id = m.store_id and i.person_id = m.person_id) as "usesProvider"
  from membership m join person p on p.id = m.person_id`;

/** The people of a store, newest first. */
export async function listPeople(db: Sql, storeId: string, { limit, cursor }: PageRequest): Promise<Page<Member>> {
  const before = cursor === undefined ? null : readIdCursor(cursor);
  const { rows } = await sql<Row>`
    ${MEMBERS}
    where m.store_id = ${storeId} and (${before}::uuid is null or m.person_id < ${before}::uuid)
    order by m.person_id desc limit ${limit + 1}`.execute(db);
  return toPage<Row & { candidates?: never }, Member>(rows, limit, toMember, idCursor);
}

export async function findMember(db: Sql, storeId: string, personId: string): Promise<Member | undefined> {
  const { rows } = await sql<Row>`
    ${MEMBERS} where m.store_id = ${storeId} and m.person_id = ${personId}`.execute(db);
  return rows.map(toMember)[0];
}

/**
 * Changes the role of a person in a store, ends the person's sessions there, and revokes what the person has invited to and no
 * longer may. Undefined if there is no such person.
 * Throws `forbidden` for what the caller's role may not, and `validation_error` if the store would have no owner.
 */
export async function changeRole(
  db: Sql,
  storeId: string,
  { personId, role, by }: { personId: string; role: Role; by: Manager },
): Promise<Member | undefined> {
  return await db.transaction().execute(async (tx) => {
    const own = await lockPeople(tx, storeId, by);
    const member = await manageableMember(tx, storeId, personId, own);
    if (!member || member.role === role) return member;
    expectMayGive(by, own, role);
    if (member.role === 'owner') await expectDispensable(tx, storeId, personId);
    await giveRole(tx, storeId, personId, role);
    await sql`
      update person_identity set own_role = ${role} where store_id = ${storeId} and person_id = ${personId}`.execute(
      tx,
    );
    return await findMember(tx, storeId, personId);
  });
}

/** Whoever gives it, and may. */
export async function giveRole(tx: Sql, storeId: string, personId: string, role: Role): Promise<void> {
  await sql`
    update membership set role = ${role} where store_id = ${storeId} and person_id = ${personId}`.execute(tx);
  await endSessions(tx, personId, { storeId });
  if (role === 'owner') return;
  await sql`
    delete from invitation
    where store_id = ${storeId} and invited_by = ${personId} and (${role !== 'admin'} or role = 'owner')`.execute(tx);
  await voidResets(tx, storeId, personId);
}

/**
 * Removes a person from a store, ends the person's sessions there, and revokes what the person has invited to or is invited
 * to. The same refusals as for another role.
 */
export async function removePerson(
  db: Sql,
  storeId: string,
  { personId, by }: { personId: string; by: Manager },
): Promise<Member | undefined> {
  return await db.transaction().execute(async (tx) => {
    const member = await manageableMember(tx, storeId, personId, await lockPeople(tx, storeId, by));
    if (!member) return undefined;
    if (member.role === 'owner') await expectDispensable(tx, storeId, personId);
    await leaveStore(tx, storeId, member);
    return member;
  });
}

/** Ends what somebody is in a store, with the sessions there, and what the person has invited to or is invited to. */
export async function leaveStore(tx: Sql, storeId: string, { id, email }: Pick<Member, 'id' | 'email'>): Promise<void> {
  await sql`delete from membership where store_id = ${storeId} and person_id = ${id}`.execute(tx);
  await endSessions(tx, id, { storeId });
  await sql`
    delete from invitation where store_id = ${storeId} and (invited_by = ${id} or email = ${email})`.execute(tx);
  await voidResets(tx, storeId, id);
}

/** Links for new passwords that a person has made end with what allowed that. */
async function voidResets(tx: Sql, storeId: string, personId: string): Promise<void> {
  await sql`delete from password_reset where store_id = ${storeId} and made_by = ${personId}`.execute(tx);
}

async function manageableMember(tx: Sql, storeId: string, personId: string, own: Role): Promise<Member | undefined> {
  const member = await findMember(tx, storeId, personId);
  if (member) expectMayManage(own, member.role, 'change or remove an owner');
  return member;
}

/** Throws `validation_error` for an owner without whom nobody could change who comes in. */
async function expectDispensable(tx: Sql, storeId: string, personId: string): Promise<void> {
  await expectNotBreakGlass(tx, storeId, personId);
  const { rows } = await sql`
    select from membership where store_id = ${storeId} and role = 'owner' and person_id <> ${personId} limit 1`.execute(
    tx,
  );
  if (rows.length > 0) return;
  throw new ServiceError('validation_error', 'The last owner of a store stays; make somebody else an owner first');
}

/** The stores of which a person is a member, in the order in which the person joined them. */
export async function storesOfPerson(db: Sql, personId: string): Promise<{ id: string; name: string; role: Role }[]> {
  const { rows } = await sql<{ id: string; name: string; role: Role }>`
    select s.id, coalesce(s.display_name, s.name) as name, m.role
    from membership m join store s on s.id = m.store_id
    where m.person_id = ${personId} order by m.created_at, s.id limit 100`.execute(db);
  return rows;
}
