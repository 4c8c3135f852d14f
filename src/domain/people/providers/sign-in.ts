import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { lockStore } from '../managers.ts';
import { findMember, giveRole } from '../people.ts';
import type { Role } from '../roles.ts';
import { beginSession, type From } from '../sessions.ts';
import { type Identity, ProviderRefusal } from './identity.ts';
import { findProvider, type GivenRole, type IdentityProvider } from './identity-provider.ts';

/** People of a store, from which on nobody comes in without an invitation. */
const MOST_PEOPLE = 5_000;

export interface SignedIn {
  /** What the cookie of the session has. */
  token: string;
  personId: string;
  /** What has changed of the person. */
  changed: ('person' | 'role')[];
}

/**
 * Signs in whoever a provider says it is, in a session that shows its store alone. Whoever comes for the first time is a person of
 * the store who has the address that the provider has verified, or is invited with that, or has one of a domain whose people
 * need no invitation; the last two become persons of this store alone, whatever others have the address elsewhere: the owner of
 * a store has its provider say what they like. Throws a `ProviderRefusal`.
 */
export async function signInByProvider(
  db: Sql,
  { storeId, version }: Pick<IdentityProvider, 'storeId' | 'version'>,
  identity: Identity,
  { former, from }: { former: Buffer | null; from: From },
): Promise<SignedIn> {
  return await db.transaction().execute(async (tx) => {
    await lockStore(tx, storeId);
    const provider = await findProvider(tx, storeId);
    if (provider?.version !== version) throw new ProviderRefusal('expired');
    const ruled = roleByRules(provider, identity);
    const linked = await findLinked(tx, storeId, identity);
    const found = linked?.isMember ? linked : await link(tx, provider, identity, { ruled, removed: linked?.personId });
    const { personId, isNew } = found;
    const role = ruled ?? found.ownRole ?? provider.defaultRole;
    if (role === null) throw new ProviderRefusal('no_role');
    const hasOther = !isNew && (await changeTo(tx, storeId, personId, role));
    await sql`
      update person set name = ${identity.name}, provider_email = coalesce(${identity.email ?? null}, provider_email)
      where id = ${personId} and provider_store_id = ${storeId}`.execute(tx);
    if (former) await sql`delete from person_session where digest = ${former}`.execute(tx);
    const token = await beginSession(tx, storeId, personId, from, { isByProvider: true });
    return {
      token,
      personId,
      changed: [...(isNew ? (['person'] as const) : []), ...(hasOther ? (['role'] as const) : [])],
    };
  });
}

function roleByRules({ roleRules }: IdentityProvider, { groups }: Identity): GivenRole | undefined {
  return roleRules.find(({ group }) => groups.includes(group))?.role;
}

interface Found {
  personId: string;
  /** What the person is where no rule has a role; null for the provider's default. */
  ownRole: Role | null;
  /** Whether the person has become a member just now. */
  isNew: boolean;
}

/** Whoever was removed from the store is not a member any more. */
async function findLinked(
  tx: Sql,
  storeId: string,
  { issuer, subject }: Identity,
): Promise<(Found & { isMember: boolean }) | undefined> {
  const { rows } = await sql<{ personId: string; ownRole: Role | null; isMember: boolean }>`
    select i.person_id as "personId", i.own_role as "ownRole", m.person_id is not null as "isMember"
    from person_identity i left join membership m on m.store_id = i.store_id and m.person_id = i.person_id
    where i.store_id = ${storeId} and i.issuer = ${issuer} and i.subject = ${subject}`.execute(tx);
  return rows[0] && { ...rows[0], isNew: false };
}

/** Finds who it is by the address that is verified. Whoever was `removed` needs an invitation again. */
async function link(
  tx: Sql,
  provider: IdentityProvider,
  identity: Identity,
  { ruled, removed }: { ruled: GivenRole | undefined; removed: string | undefined },
): Promise<Found> {
  const { storeId } = provider;
  const { email } = identity;
  if (email === undefined) throw new ProviderRefusal('email_not_verified');
  const member = await findByAddress(tx, storeId, email);
  if (member) {
    // Addresses are given to other people in time.
    if (member.issuer === identity.issuer) throw new ProviderRefusal('other_account');
    return await saveIdentity(tx, storeId, identity, { ...member, ownRole: member.role, isNew: false });
  }
  const invited = await takeInvitation(tx, storeId, email);
  if (!invited) await expectProvided(tx, provider, { email, ruled, removed });
  const role = ruled ?? invited ?? provider.defaultRole;
  if (role === null) throw new ProviderRefusal('no_role');
  const personId = await savePerson(tx, storeId, identity, removed);
  await sql`
    insert into membership (store_id, person_id, role, created_at)
    values (${storeId}, ${personId}, ${invited === 'owner' ? invited : role}, now())`.execute(tx);
  return await saveIdentity(tx, storeId, identity, { personId, ownRole: invited, isNew: true });
}

async function findByAddress(
  tx: Sql,
  storeId: string,
  email: string,
): Promise<{ personId: string; role: Role; issuer: string | null } | undefined> {
  const { rows } = await sql<{ personId: string; role: Role; issuer: string | null }>`
    select m.person_id as "personId", m.role, i.issuer
    from membership m
    join person p on p.id = m.person_id
    left join person_identity i on i.store_id = m.store_id and i.person_id = m.person_id
    where m.store_id = ${storeId} and coalesce(p.provider_email, p.email) = ${email}
    order by m.created_at limit 1`.execute(tx);
  return rows[0];
}

/** Takes the invitations of an address, if there are any; returns the role of the newest. */
async function takeInvitation(tx: Sql, storeId: string, email: string): Promise<Role | null> {
  const { rows } = await sql<{ id: string; role: Role }>`
    delete from invitation
    where store_id = ${storeId} and email = ${email} and expires_at > now() and invited_by is not null
    returning id, role`.execute(tx);
  return rows.toSorted((one, other) => (one.id < other.id ? 1 : -1))[0]?.role ?? null;
}

/** Throws a `ProviderRefusal` for whom the store does not let in without an invitation. */
async function expectProvided(
  tx: Sql,
  { storeId, domains, defaultRole }: IdentityProvider,
  { email, ruled, removed }: { email: string; ruled: GivenRole | undefined; removed: string | undefined },
): Promise<void> {
  const isOfDomain = domains.includes(email.slice(email.lastIndexOf('@') + 1));
  if (!isOfDomain || removed !== undefined) throw new ProviderRefusal('not_invited');
  if (ruled === undefined && defaultRole === null) throw new ProviderRefusal('no_role');
  const { rows } = await sql<{ people: number }>`
    select count(*)::int as people from membership where store_id = ${storeId}`.execute(tx);
  if ((rows[0]?.people ?? 0) >= MOST_PEOPLE) throw new ProviderRefusal('too_many_people');
}

/** Whoever was removed is who they were, unless that person is of other stores too. */
async function savePerson(
  tx: Sql,
  storeId: string,
  { email, name }: Identity,
  removed: string | undefined,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from person where id = ${removed ?? null} and provider_store_id = ${storeId}`.execute(tx);
  if (rows[0]) return rows[0].id;
  const id = newId();
  await sql`
    insert into person (id, email, name, password, created_at, provider_store_id, provider_email)
    values (${id}, ${`${id}@provider.invalid`}, ${name}, '', now(), ${storeId}, ${email})`.execute(tx);
  return id;
}

/** Another issuer takes the place of the one of before. */
async function saveIdentity(tx: Sql, storeId: string, { issuer, subject }: Identity, found: Found): Promise<Found> {
  const { personId, ownRole, isNew } = found;
  await sql`
    delete from person_identity
    where store_id = ${storeId} and (person_id = ${personId} or (issuer = ${issuer} and subject = ${subject}))`.execute(
    tx,
  );
  await sql`
    insert into person_identity (store_id, issuer, subject, person_id, own_role, created_at)
    values (${storeId}, ${issuer}, ${subject}, ${personId}, ${ownRole}, now())`.execute(tx);
  return { personId, ownRole, isNew };
}

/** Owners stay that: a provider neither makes one nor takes it from one. Returns whether the person had another role. */
async function changeTo(tx: Sql, storeId: string, personId: string, role: Role): Promise<boolean> {
  const member = await findMember(tx, storeId, personId);
  if (!member || member.role === 'owner' || role === 'owner' || member.role === role) return false;
  await giveRole(tx, storeId, personId, role);
  return true;
}
