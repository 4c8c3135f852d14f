import type { ApiKeyRecord } from '../../db/entities/api-key.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { type Caller, PUBLIC_SCOPE, type Scope } from '../caller.ts';
import type { Once } from '../kept-answers.ts';
import { idCursor, type Page, type PageRequest, readIdCursor, toPage } from '../reading/cursor.ts';
import { invalid, ServiceError } from '../service-error.ts';
import type { ApiKeys, CreatedKey } from './api-keys.ts';

export interface StoreKeyInput {
  name: string;
  scopes: Scope[];
  expiresAt: Date | null;
}

/** The tier of keys that a store creates itself; only the operator can change a key's tier. */
const TIER = 'standard';
/** Maximum keys in use per store, and so of rate-limit windows; each creation counts them. */
const MAX_IN_USE = 100;

/** What a public key can do, and who creates one must be allowed to. */
const POWERS_OF_PUBLIC_KEYS: Scope[] = ['events:write', 'profiles:write'];

/**
 * Creates a key of the caller's store. Throws `forbidden` for a scope that the caller lacks, and `validation_error` if
 * the key would be both public and secret, would outlive the caller's, or the store has too many.
 */
export async function createStoreKey(
  keys: ApiKeys,
  caller: Caller,
  input: StoreKeyInput,
  once: Once<CreatedKey>,
): Promise<CreatedKey> {
  const isPublic = input.scopes.includes(PUBLIC_SCOPE);
  if (isPublic && input.scopes.length > 1) {
    throw invalid({
      path: ['scopes'],
      problem: `must have no other scope beside ${PUBLIC_SCOPE}: such a key is public`,
    });
  }
  const granted = isPublic ? POWERS_OF_PUBLIC_KEYS : input.scopes;
  const lacking = granted.filter((scope) => !caller.scopes.has(scope));
  if (lacking.length > 0) throw new ServiceError('forbidden', lackingWords(caller, lacking));
  if (input.expiresAt && input.expiresAt <= new Date()) {
    throw invalid({ path: ['expires_at'], problem: 'must be in the future' });
  }
  if (caller.expiresAt && (!input.expiresAt || input.expiresAt > caller.expiresAt)) {
    throw invalid({ path: ['expires_at'], problem: 'must not be later than the expiry of the key that creates it' });
  }
  const { storeId, actor } = caller;
  const { kind, id } = actor;
  return await keys.createBelow(MAX_IN_USE, { ...input, storeId, tier: TIER, createdBy: { kind, id } }, once);
}

function lackingWords({ actor }: Caller, scopes: readonly Scope[]): string {
  const [what, them] = scopes.length === 1 ? ['scope', 'it'] : ['scopes', 'them'];
  const who = actor.kind === 'key' ? 'The API key' : 'Your role';
  return `${who} lacks the ${what} ${scopes.join(', ')}, so it can't grant ${them}`;
}

/** Returns the keys of the caller's store, newest first. */
export async function listStoreKeys(
  keys: ApiKeys,
  caller: Caller,
  { limit, cursor }: PageRequest,
): Promise<Page<ApiKeyRecord>> {
  const before = cursor === undefined ? undefined : readIdCursor(cursor);
  const records: (ApiKeyRecord & { candidates?: never })[] = await keys.listBefore(caller, before, limit + 1);
  return toPage(records, limit, (record) => record, idCursor);
}

/** Revokes a key of the caller's store permanently; undefined if there is none. */
export async function revokeStoreKey(keys: ApiKeys, caller: Caller, id: string): Promise<ApiKeyRecord | undefined> {
  return isId(id) ? keys.revokeOf(caller, id) : undefined;
}

/** Undefined if the store has no such key. */
export async function findStoreKey(keys: ApiKeys, caller: Caller, id: string): Promise<ApiKeyRecord | undefined> {
  return isId(id) ? keys.findOf(caller, id) : undefined;
}

/** Renames a key of the caller's store; undefined if there is none. */
export async function renameStoreKey(
  keys: ApiKeys,
  caller: Caller,
  id: string,
  name: string,
): Promise<ApiKeyRecord | undefined> {
  return isId(id) ? keys.renameOf(caller, id, name) : undefined;
}
