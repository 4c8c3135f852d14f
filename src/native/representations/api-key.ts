import type { ApiKey, AuditActor } from '../../../generated/native/types.gen.ts';
import type { ApiKeyRecord } from '../../db/entities/api-key.ts';
import type { Scope } from '../../domain/caller.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { RateLimitUse, RateLimitUses } from '../../http/rate-limit.ts';

/** Converts keys, adding how much of its rate limit each one uses. */
export async function toApiKeys(records: ApiKeyRecord[], usesOf: RateLimitUses): Promise<ApiKey[]> {
  const uses = await usesOf(records);
  return records.map((record, n) => toApiKey(record, uses[n] as RateLimitUse));
}

function toApiKey(record: ApiKeyRecord, use: RateLimitUse): ApiKey {
  return {
    id: record.id,
    name: record.name,
    scopes: record.scopes as Scope[],
    public_key: record.publicKey,
    created_by: makerOf(record),
    tier: record.tier,
    rate_limit: use,
    created_at: record.createdAt.toISOString(),
    last_used_at: record.lastUsedAt?.toISOString() ?? null,
    expires_at: record.expiresAt?.toISOString() ?? null,
    revoked_at: record.revokedAt?.toISOString() ?? null,
  };
}

function makerOf({ createdByKind: kind, createdBy: id, createdByName: name }: ApiKeyRecord): AuditActor | null {
  return kind === null ? null : { kind, id, name };
}

/** Throws `not_found` in the place of a key that there is not. */
export function existingKey(found: ApiKeyRecord | undefined): ApiKeyRecord {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such API key');
  return found;
}
