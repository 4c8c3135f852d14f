import type { ApiKeyRecord } from '../../db/entities/api-key.ts';
import { isId } from '../../ids/uuid-v7.ts';
import type { Caller, Scope } from '../caller.ts';
import { idCursor, type Page, type PageRequest, readIdCursor, toPage } from '../reading/cursor.ts';
import { invalid, ServiceError } from '../service-error.ts';
import type { ApiKeys, CreatedKey } from './api-keys.ts';

export interface StoreKeyInput {
  name: string;
  scopes: Scope[];
  expiresAt: Date | null;
}

/** The tier of keys that are not the operator's to create; only the operator moves one to another. */
const TIER = 'standard';
/** They have as many windows at most, and what is in use is looked at for each new one. */
const MAX_IN_USE = 100;

/**
 * Creates a key of the caller's store. Throws `forbidden` on a scope that the caller lacks, `validation_error` on a key
 * that would outlive the caller's, and where the store has too many.
 */
export async function createStoreKey(keys: ApiKeys, caller: Caller, input: StoreKeyInput): Promise<CreatedKey> {
  const lacking = input.scopes.find((scope) => !caller.scopes.has(scope));
  if (lacking) throw new ServiceError('forbidden', `The API key lacks the scope ${lacking}, so it can't grant it`);
  if (input.expiresAt && input.expiresAt <= new Date()) {
    throw invalid({ path: ['expires_at'], problem: 'must be in the future' });
  }
  if (caller.expiresAt && (!input.expiresAt || input.expiresAt > caller.expiresAt)) {
    throw invalid({ path: ['expires_at'], problem: 'must not be later than the expiry of the key that creates it' });
  }
  const created = await keys.createBelow(MAX_IN_USE, { ...input, storeId: caller.storeId, tier: TIER });
  if (created) return created;
  throw new ServiceError('validation_error', `The store already has ${MAX_IN_USE} keys; revoke one first`);
}

/** The keys of the caller's store, newest first. */
export async function listStoreKeys(
  keys: ApiKeys,
  caller: Caller,
  { limit, cursor }: PageRequest,
): Promise<Page<ApiKeyRecord>> {
  const before = cursor === undefined ? undefined : readIdCursor(cursor);
  const records: (ApiKeyRecord & { candidates?: never })[] = await keys.listBefore(caller, before, limit + 1);
  return toPage(records, limit, (record) => record, idCursor);
}

/** Revokes a key of the caller's store, for good; undefined where there is none. */
export async function revokeStoreKey(keys: ApiKeys, caller: Caller, id: string): Promise<ApiKeyRecord | undefined> {
  return isId(id) ? keys.revokeOf(caller, id) : undefined;
}
