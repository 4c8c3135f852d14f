import { sql } from 'kysely';
import { Outdated } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/sql.ts';

/** Deletes a profile, which is no longer listed by its latest change either. */
export async function removeProfile(tx: Sql, storeId: string, profileId: string): Promise<void> {
  const { rows } = await sql<{ updatedAt: string }>`
    delete from profile where store_id = ${storeId} and id = ${profileId}
    returning updated_at::text as "updatedAt"`.execute(tx);
  const [profile] = rows;
  if (!profile) throw new Outdated('The profile has vanished while it was to be removed');
  await sql`
    update profile_update set profile_ids = array_remove(profile_ids, ${profileId}::uuid)
    where store_id = ${storeId} and updated_at = ${profile.updatedAt}::timestamptz
      and ${profileId}::uuid = any(profile_ids)`.execute(tx);
}
