import { sql } from 'kysely';
import type { ApiKeyRecord } from '../../db/entities/api-key.ts';
import type { Sql } from '../../db/orm.ts';
import type { Caller, ReadCallers } from '../caller.ts';

interface Row extends Pick<ApiKeyRecord, 'storeId' | 'windowId' | 'scopes' | 'tier'> {
  digest: string;
  keyId: ApiKeyRecord['id'];
  country: string | null;
  keepsHistory: boolean;
  barsSignIn: boolean;
  /** Milliseconds of Unix time; null if it does not expire. */
  ends: number | null;
}

/** Reads the callers of keys that are not revoked. */
export function readKeyCallers(db: Sql): ReadCallers {
  return async (digests) => {
    const { rows } = await sql<Row>`
      select encode(hash, 'base64') as digest, k.id as "keyId", k.store_id as "storeId", s.country,
        s.history_days > 0 as "keepsHistory", 
        not s.key_sign_in or exists (
          select from identity_provider i where i.store_id = s.id and i.break_glass_id is not null
        ) as "barsSignIn",
        k.window_id as "windowId", k.scopes, k.tier, (extract(epoch from k.expires_at) * 1000)::float8 as ends
      from api_key k
      join store s on s.id = k.store_id
      where k.hash = any(${digests}::bytea[]) and k.revoked_at is null`.execute(db);
    return rows.map((row) => ({ digest: row.digest, caller: toCaller(row) }));
  };
}

function toCaller({ digest: _, keyId, scopes, ends, ...row }: Row): Caller {
  const expiresAt = ends === null ? null : new Date(ends);
  const actor = { kind: 'key', id: keyId } as const;
  return { ...row, actor, scopes: new Set(scopes), expiresAt };
}
