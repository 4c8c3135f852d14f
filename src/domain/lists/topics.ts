import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { MAX_TOPICS } from './lists.ts';

/** A list that customers choose by themselves. */
export interface Topic {
  /** The id of the list. */
  id: string;
  /** What customers read. */
  name: string;
  /** Whether the customer is in the list. */
  isMember: boolean;
}

/** Returns the topics of a store, by their names, and whether a customer is in each. */
export async function readTopics(db: Sql, storeId: string, profileId: string): Promise<Topic[]> {
  const { rows } = await sql<Topic>`
    select l.id, coalesce(l.public_name, l.name) as name, m.profile_id is not null as "isMember"
    from list l
    left join lateral (
      select profile_id from list_member
      where store_id = ${storeId} and list_id = l.id and profile_id = ${profileId}
      limit 1
    ) m on true
    where l.store_id = ${storeId} and l.topic
    order by l.id
    limit ${MAX_TOPICS}`.execute(db);
  // As people sort, which not every database does.
  return rows.sort((one, other) => one.name.localeCompare(other.name));
}
