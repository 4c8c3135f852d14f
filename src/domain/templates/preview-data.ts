import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import type { EventItem } from '../catalog/find-event-items.ts';
import { findMessageItems } from '../catalog/message-items.ts';
import type { JsonObject } from '../conditions/subject.ts';
import { EXAMPLE_CODE } from '../coupons/codes/preview.ts';
import type { RecordedEvent } from '../event.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Profile } from '../profile.ts';
import { findEvent } from '../reading/events.ts';
import { findProfile } from '../reading/profiles.ts';
import { invalid } from '../service-error.ts';
import { findProfileOf } from '../write/look-up.ts';
import { eventData, type MessageParts } from './message-data.ts';

/** For whom, and after what, a message is previewed. */
export interface Occasion {
  /** A customer of the store; without one, that of the event, or one of whom nothing is known. */
  profile?: { id: string } | { identifiers: Identifiers } | undefined;
  event?: { id: string } | { eventType: string; properties: JsonObject } | undefined;
  data: JsonObject;
}

/** Where the links of a preview lead that would change something: nothing is at such a host. */
export const PREVIEW_LINKS = {
  unsubscribe: 'https://preview.invalid/unsubscribe',
  preferences: 'https://preview.invalid/preferences',
  view: 'https://preview.invalid/view',
};

/** What a run would give the customer before. */
export const EXAMPLE_COUPON = { code: EXAMPLE_CODE, pool_id: null, expires_at: null };

/** Reads what a message of the store is made of. Throws `validation_error` if the store has no such customer or event. */
export async function readPreviewData(
  db: Sql,
  caller: Caller,
  { profile, event, data }: Occasion,
): Promise<Omit<MessageParts, 'store'>> {
  const recorded = event && 'id' in event ? await readEvent(db, caller, event.id) : undefined;
  const customer = profile ? await readProfile(db, caller, profile) : undefined;
  if (recorded && customer && recorded.profileId !== customer.id) {
    throw invalid({ path: ['event', 'id'], problem: 'is that of an event of another customer' });
  }
  const whose = customer ?? (recorded && (await findProfile(db, caller, recorded.profileId)));
  const made = event && 'eventType' in event ? event : undefined;
  const told = recorded ? eventData(recorded) : made ? madeUp(made) : null;
  return {
    profile: whose,
    event: told && { ...told, items: await itemsOf(db, caller, told.properties as JsonObject) },
    data,
    coupon: EXAMPLE_COUPON,
    links: PREVIEW_LINKS,
  };
}

async function itemsOf(db: Sql, { storeId }: Caller, properties: JsonObject): Promise<EventItem[]> {
  const [items = []] = await findMessageItems(db, storeId, [properties]);
  return items;
}

async function readEvent(db: Sql, caller: Caller, id: string): Promise<RecordedEvent> {
  const event = await findEvent(db, caller, id);
  if (!event) throw invalid({ path: ['event', 'id'], problem: 'is not the id of an event' });
  return event;
}

async function readProfile(db: Sql, caller: Caller, given: NonNullable<Occasion['profile']>): Promise<Profile> {
  const id = 'id' in given ? given.id : await findProfileOf(db, caller.storeId, given.identifiers);
  const profile = id === undefined ? undefined : await findProfile(db, caller, id);
  if (!profile) throw invalid({ path: ['profile'], problem: 'is not that of a known customer' });
  return profile;
}

function madeUp({ eventType, properties }: { eventType: string; properties: JsonObject }) {
  const now = new Date().toISOString();
  return { id: null, event_type: eventType, profile_id: null, properties, occurred_at: now, received_at: now };
}
