import type { ApiKey } from '../../generated/native/types.gen.ts';
import type { ApiKeyRecord } from '../db/entities/api-key.ts';
import type { Scope } from '../domain/api-keys.ts';

export function toApiKey(record: ApiKeyRecord): ApiKey {
  return {
    id: record.id,
    name: record.name,
    scopes: record.scopes as Scope[],
    tier: record.tier,
    created_at: record.createdAt.toISOString(),
    last_used_at: record.lastUsedAt?.toISOString() ?? null,
    expires_at: record.expiresAt?.toISOString() ?? null,
    revoked_at: record.revokedAt?.toISOString() ?? null,
  };
}
