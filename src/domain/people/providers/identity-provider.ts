import { sql } from 'kysely';
import type { IdentityProviderRecord } from '../../../db/entities/identity-provider.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { type Secrets, Unopenable } from '../../secrets/secrets.ts';
import { invalid, ServiceError } from '../../service-error.ts';
import { problemOfUrl, type UrlRules } from '../../webhooks/endpoints/url.ts';
import { expectOwner, type Manager } from '../managers.ts';
import type { Role } from '../roles.ts';

/** What a provider may make somebody: whoever owns a store is made that by an owner. */
export type GivenRole = Exclude<Role, 'owner'>;

/** What an owner says of the provider. */
export interface ProviderSettings extends Pick<IdentityProviderRecord, 'issuer' | 'clientId' | 'groupsClaim'> {
  /** The first whose group somebody is in has the role. */
  roleRules: { group: string; role: GivenRole }[];
  /** Of e-mail addresses whose people need no invitation, in lower case. */
  domains: string[];
  /** Of whom no rule has one; null where they may not come in. */
  defaultRole: GivenRole | null;
  /** The owner who alone signs in by a password; null where others do. */
  breakGlassId: string | null;
}

export interface IdentityProvider extends ProviderSettings {
  storeId: string;
  /** Another with each change. */
  version: string;
  createdAt: Date;
  updatedAt: Date;
}

interface Row extends Omit<IdentityProvider, 'createdAt' | 'updatedAt' | 'roleRules'> {
  /** JSON. */
  roleRules: string;
  /** Sealed. */
  secret: string;
  /** Milliseconds of Unix time. */
  created: number;
  updated: number;
}

const COLUMNS = sql`
  store_id as "storeId", version, issuer, client_id as "clientId", client_secret as secret, groups_claim as "groupsClaim",
  role_rules::text as "roleRules", domains, default_role as "defaultRole", break_glass_id as "breakGlassId",
  (extract(epoch from created_at) * 1000)::float8 as created, (extract(epoch from updated_at) * 1000)::float8 as updated`;

const toProvider = ({ secret: _, roleRules, created, updated, ...row }: Row): IdentityProvider => ({
  ...row,
  roleRules: JSON.parse(roleRules),
  createdAt: new Date(created),
  updatedAt: new Date(updated),
});

const place = (storeId: string) => ['identity_provider', storeId, 'client_secret'];

/** The provider of a store; undefined if it has none. */
export async function findProvider(db: Sql, storeId: string): Promise<IdentityProvider | undefined> {
  return (await readRow(db, storeId)).map(toProvider)[0];
}

async function readRow(db: Sql, storeId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from identity_provider where store_id = ${storeId}`.execute(db);
  return rows;
}

/** A provider with what the service proves to it. */
export interface OpenedProvider extends IdentityProvider {
  /** In clear. */
  clientSecret: string;
}

/** Undefined also where the secret can't be opened, as its key is gone. */
export async function openProvider(db: Sql, secrets: Secrets, storeId: string): Promise<OpenedProvider | undefined> {
  const [row] = await readRow(db, storeId);
  if (!row) return undefined;
  try {
    return { ...toProvider(row), clientSecret: secrets.open(row.secret, place(storeId)) };
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    return undefined;
  }
}

/** The store of an id or a name whose people sign in by a provider. */
export async function findStoreWithProvider(
  db: Sql,
  named: { id: string } | { name: string },
): Promise<{ id: string; name: string } | undefined> {
  const isNamed = 'id' in named ? sql`s.id = ${named.id}` : sql`s.name = ${named.name}`;
  const { rows } = await sql<{ id: string; name: string }>`
    select s.id, s.name from store s join identity_provider i on i.store_id = s.id where ${isNamed}`.execute(db);
  return rows[0];
}

const OWNER_ONLY = 'Only an owner may change how people sign in';

/**
 * Sets the provider of a store. Without a secret, the one of before stays, if the issuer and the client do. With another
 * issuer or client, sessions by the one of before end. Throws `forbidden` for anybody but an owner, and `validation_error`.
 */
export async function setProvider(
  db: Sql,
  { secrets, rules }: { secrets: Secrets; rules: UrlRules },
  storeId: string,
  { clientSecret, ...given }: ProviderSettings & { clientSecret: string | undefined },
  by: Manager,
): Promise<IdentityProvider> {
  const issuer = given.issuer.trim();
  const problem = problemOfIssuer(issuer, rules);
  if (problem) throw invalid({ path: ['issuer'], problem });
  const domains = [...new Set(given.domains.map((domain) => domain.trim().toLowerCase()))];
  const { clientId, groupsClaim, roleRules, defaultRole, breakGlassId } = given;
  return await db.transaction().execute(async (tx) => {
    await expectOwner(tx, storeId, by, OWNER_ONLY);
    if (breakGlassId !== null) await expectKeepsPassword(tx, storeId, breakGlassId);
    const [former] = await readRow(tx, storeId);
    const isSame = former?.issuer === issuer && former.clientId === clientId;
    // Otherwise a secret would go to whoever is named as the issuer.
    if (clientSecret === undefined && !isSame) {
      throw invalid({ path: ['client_secret'], problem: 'is required with another issuer or client' });
    }
    const secret = clientSecret === undefined ? (former as Row).secret : secrets.seal(clientSecret, place(storeId));
    const { rows } = await sql<Row>`
      insert into identity_provider (store_id, version, issuer, client_id, client_secret, groups_claim, role_rules, domains,
        default_role, break_glass_id, created_at, updated_at)
      values (${storeId}, ${newId()}, ${issuer}, ${clientId}, ${secret}, ${groupsClaim}, ${JSON.stringify(roleRules)}::jsonb,
        ${domains}::text[], ${defaultRole}, ${breakGlassId}, now(), now())
      on conflict (store_id) do update set version = excluded.version, issuer = excluded.issuer,
        client_id = excluded.client_id, client_secret = excluded.client_secret, groups_claim = excluded.groups_claim,
        role_rules = excluded.role_rules, domains = excluded.domains, default_role = excluded.default_role,
        break_glass_id = excluded.break_glass_id, updated_at = excluded.updated_at
      returning ${COLUMNS}`.execute(tx);
    if (!isSame) await endProviderSessions(tx, storeId);
    return toProvider(rows[0] as Row);
  });
}

/** Has people sign in by passwords alone; sessions by the provider end. Undefined if there is none. The same refusals. */
export async function removeProvider(db: Sql, storeId: string, by: Manager): Promise<IdentityProvider | undefined> {
  return await db.transaction().execute(async (tx) => {
    await expectOwner(tx, storeId, by, OWNER_ONLY);
    const { rows } = await sql<Row>`
      delete from identity_provider where store_id = ${storeId} returning ${COLUMNS}`.execute(tx);
    await endProviderSessions(tx, storeId);
    return rows.map(toProvider)[0];
  });
}

async function endProviderSessions(tx: Sql, storeId: string): Promise<void> {
  await sql`delete from person_session where provider_store_id = ${storeId} and store_id = ${storeId}`.execute(tx);
  await sql`delete from provider_sign_in where store_id = ${storeId}`.execute(tx);
}

function problemOfIssuer(issuer: string, rules: UrlRules): string | undefined {
  const problem = problemOfUrl(issuer, rules);
  if (problem) return problem;
  return /[?#]/.test(issuer) ? 'must have no query and no fragment' : undefined;
}

/** Throws `validation_error` for whom the store would not let in by a password. */
async function expectKeepsPassword(tx: Sql, storeId: string, personId: string): Promise<void> {
  const { rows } = await sql`
    select from membership m join person p on p.id = m.person_id
    where m.store_id = ${storeId} and m.person_id = ${personId} and m.role = 'owner' and p.password <> ''`.execute(tx);
  if (rows.length > 0) return;
  throw invalid({ path: ['break_glass_id'], problem: 'must be an owner of the store who has a password' });
}

/** Throws `validation_error` for the owner whose password is the only one: nobody could come in any more without the provider. */
export async function expectNotBreakGlass(tx: Sql, storeId: string, personId: string): Promise<void> {
  const { rows } = await sql`
    select from identity_provider where store_id = ${storeId} and break_glass_id = ${personId}`.execute(tx);
  if (rows.length === 0) return;
  throw new ServiceError(
    'validation_error',
    'The owner whose password is kept beside the identity provider stays; let it be that of another owner first',
  );
}

/** Whoever becomes an owner by a link of the operator is let in by the password. */
export async function keepPasswordOf(tx: Sql, storeId: string, personId: string): Promise<void> {
  await sql`
    update identity_provider set break_glass_id = ${personId}
    where store_id = ${storeId} and break_glass_id is not null`.execute(tx);
}
