import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Caller, ReadCallers } from '../caller.ts';
import { hasSecondFactor } from './has-second-factor.ts';
import { type Role, scopesOfRole } from './roles.ts';
import { IS_LIVE } from './sessions.ts';

interface Row extends Pick<Caller, 'storeId' | 'country' | 'keepsHistory'> {
  session: string;
  personId: string;
  role: Role;
  lacksSecondFactor: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** Reads the callers of sessions that are live, of persons who are members of the store that is shown. */
export function readPersonCallers(db: Sql): ReadCallers {
  return async (digests) => {
    const { rows } = await sql<Row>`
      select encode(digest, 'base64') as session, n.person_id as "personId", m.role, n.store_id as "storeId", s.country,
        s.history_days > 0 as "keepsHistory",
        s.requires_second_factor and not ${hasSecondFactor(sql.ref('n.person_id'))} as "lacksSecondFactor"
      from person_session n
      join membership m on m.store_id = n.store_id and m.person_id = n.person_id
      join store s on s.id = n.store_id
      where n.digest = any(${digests}::bytea[]) and ${IS_LIVE}`.execute(db);
    return rows.map((row) => ({ digest: row.session, caller: toCaller(row) }));
  };
}

/** Who lacks the second factor that the store asks for may do nothing there. */
function toCaller({ session, personId: id, role, lacksSecondFactor, ...store }: Row): Caller {
  const actor = { kind: 'person', id, role, session, lacksSecondFactor } as const;
  const scopes = lacksSecondFactor ? NONE : scopesOfRole(role);
  return { ...store, actor, windowId: id, scopes, tier: 'standard', expiresAt: null };
}

/** Writes when sessions were last used, of which the digests are given in base64. */
export async function writeLastSeen(db: Sql, used: readonly [session: string, at: Date][]): Promise<void> {
  await sql`
    update person_session n set seen_at = greatest(seen_at, u.at)
    from unnest(
      ${used.map(([session]) => Buffer.from(session, 'base64'))}::bytea[],
      ${used.map(([, at]) => at.toISOString())}::timestamptz[]
    ) as u (digest, at)
    where n.digest = u.digest`.execute(db);
}
