import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import { ServiceError } from '../service-error.ts';
import { mayManage, type Role, scopesOfRole } from './roles.ts';

/** Who changes the people of a store: a person of it, or a key. */
export type Manager = Pick<Caller, 'actor' | 'scopes'>;

/**
 * Has changes to the people of a store come one after the other, so that its last owners can't remove one another, and returns
 * as what somebody makes one. Throws `forbidden` for a person who may not any more: what is known of callers is a little old.
 */
export async function lockPeople(tx: Sql, storeId: string, { actor }: Manager): Promise<Role> {
  await lockStore(tx, storeId);
  // A key is no owner, whatever it may do.
  if (actor.kind === 'key') return 'admin';
  const { rows } = await sql<{ role: Role }>`
    select role from membership where store_id = ${storeId} and person_id = ${actor.id}`.execute(tx);
  const role = rows[0]?.role;
  if (role && scopesOfRole(role).has('settings:manage')) return role;
  throw new ServiceError('forbidden', 'You may not change the people of this store any more');
}

/** Throws `forbidden` for anybody but an owner of the store, and so for a key. */
export async function expectOwner(tx: Sql, storeId: string, by: Manager, refusal: string): Promise<void> {
  if ((await lockPeople(tx, storeId, by)) !== 'owner') throw new ServiceError('forbidden', refusal);
}

export async function lockStore(tx: Sql, storeId: string): Promise<void> {
  await sql`select from store where id = ${storeId} for no key update`.execute(tx);
}

/** Throws `forbidden` where somebody, who is `own`, may not give a role: a key gives none that may do more than itself. */
export function expectMayGive({ actor, scopes }: Manager, own: Role, role: Role): void {
  expectMayManage(own, role, 'make somebody an owner');
  if (actor.kind === 'person' || [...scopesOfRole(role)].every((scope) => scopes.has(scope))) return;
  throw new ServiceError('forbidden', `A key may give the role ${role} only with all scopes of that role`);
}

/** Throws `forbidden` where somebody, who is `own`, may not touch another. */
export function expectMayManage(own: Role, other: Role, what: string): void {
  if (!mayManage(own, other)) throw new ServiceError('forbidden', `Only an owner may ${what}`);
}
