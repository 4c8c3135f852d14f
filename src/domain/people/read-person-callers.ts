import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Caller, ReadCallers } from '../caller.ts';
import { type Role, scopesOfRole } from './roles.ts';
import { IS_LET_IN, IS_LIVE, LACKS_SECOND_FACTOR } from './sessions.ts';

interface Row extends Pick<Caller, 'storeId' | 'country' | 'keepsHistory'> {
  session: string;
  personId: string;
  role: Role;
  lacksSecondFactor: boolean;
  isByProvider: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** Reads the callers of sessions that are live, of persons who are members of the store that is shown. */
export function readPersonCallers(db: Sql): ReadCallers {
  return async (digests) => {
    const { rows } = await sql<Row>`
      select encode(digest, 'base64') as session, n.person_id as "personId", m.role, n.store_id as "storeId", s.country,
        s.history_days > 0 as "keepsHistory",
        n.provider_store_id is not null as "isByProvider", ${LACKS_SECOND_FACTOR} as "lacksSecondFactor"
      from person_session n
      join membership m on m.store_id = n.store_id and m.person_id = n.person_id
      join store s on s.id = n.store_id
      where n.digest = any(${digests}::bytea[]) and ${IS_LIVE} and ${IS_LET_IN}`.execute(db);
    return rows.map((row) => ({ digest: row.session, caller: toCaller(row) }));
  };
}

/** Who lacks the second factor that the store asks for may do nothing there. */
function toCaller({ session, personId: id, role, lacksSecondFactor, isByProvider, ...store }: Row): Caller {
  const actor = { kind: 'person', id, role, session, lacksSecondFactor, isByProvider } as const;
  const scopes = lacksSecondFactor ? NONE : scopesOfRole(role);
  // What one store's provider lets in uses nothing up of what the person has in others.
  const windowId = isByProvider ? `${id} ${store.storeId}` : id;
  return { ...store, actor, windowId, scopes, tier: 'standard', expiresAt: null };
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
