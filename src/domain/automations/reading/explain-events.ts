import { checkParsable } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Caller } from '../../caller.ts';
import type { Page, PageRequest } from '../../reading/cursor.ts';
import { readEvents } from '../../reading/events.ts';
import { DAY, SECOND } from '../../time/duration.ts';
import { toCustomerEvent } from '../stored/customer-event.ts';
import type { VersionCache } from '../stored/version-cache.ts';
import type { Decided, EntryCandidate } from './candidate.ts';
import { recompute } from './recomputed-decisions.ts';
import { oldestUnread, readDecisions } from './recorded-decisions.ts';

/** For how long reasons are kept that can't be found out again. */
const KEPT = 30 * DAY;
/** How long before it is written down an event may have been received. */
const LONGEST_WRITE = 30 * SECOND;

/** Returns the events of a type that a customer has, newest first, and what an automation has decided about each. */
export async function explainEvents(
  db: Sql,
  caller: Caller,
  { automationId, profileId, eventType }: { automationId: string; profileId: string; eventType: string },
  page: PageRequest,
  versions: VersionCache,
): Promise<Page<EntryCandidate>> {
  const { storeId } = caller;
  const { items: events, next } = await readEvents(db, caller, { eventType, profileId }, page);
  // Before what was decided: whatever is read meanwhile is found there.
  const unreadSince = await oldestUnread(db, storeId);
  const ids = events.map(({ id }) => id);
  const recorded = await readDecisions(db, storeId, automationId, ids);
  const others = events.filter(({ id }) => !recorded.has(id));
  checkParsable(others.flatMap(({ properties, source }) => (source ? [properties, source] : [properties])));
  const asked = others.map((event) => ({ event: toCustomerEvent(event), profileId }));
  const recomputed = await recompute(db, storeId, automationId, asked, versions);
  const found = new Map(others.map(({ id }, i) => [id, recomputed[i]]));
  const items = events.flatMap(({ id, eventType: type, occurredAt, receivedAt }): EntryCandidate[] => {
    const received = receivedAt.getTime();
    const decision = recorded.get(id) ?? found.get(id) ?? undecided(received, unreadSince);
    if (!decision) return [];
    return [{ type: 'event', event: { id, type }, occurredAt: occurredAt.getTime(), receivedAt: received, decision }];
  });
  return { items, next };
}

/** Nothing is written down, and the event alone does not tell: it is new, or was stored just before a publication. */
function undecided(receivedAt: number, unreadSince: number | undefined): Decided | undefined {
  if (unreadSince !== undefined && receivedAt >= unreadSince - LONGEST_WRITE) return { made: 'pending' };
  return receivedAt > Date.now() - KEPT ? { made: 'skipped', reason: 'not_live', detail: {} } : undefined;
}
