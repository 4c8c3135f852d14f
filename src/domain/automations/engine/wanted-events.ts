import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { WantedEvents } from '../../change-feed/wanted-changes.ts';
import type { Interest } from './interest.ts';

/**
 * The events of which something may come. Those that only wake or end runs are read of customers alone who have runs, or
 * for whom one may start just before.
 */
export function wantedEvents(storeId: string, { eventTypes, triggerTypes, startsOnChanges }: Interest): WantedEvents {
  if (eventTypes.length === triggerTypes.length || startsOnChanges) return { types: eventTypes };
  const triggers = sql`${texts(triggerTypes)}::text[]`;
  const condition = sql`
    e.event_type = any(${triggers})
    or e.profile_id in (select profile_id from wanted where event_type = any(${triggers}))
    or (
      select true from automation_run r
      where r.store_id = ${storeId} and r.status = 'active'
        and r.profile_id >= e.profile_id and r.profile_id <= e.profile_id
      order by r.profile_id, r.automation_id
      limit 1
    )`;
  return { types: eventTypes, condition };
}
