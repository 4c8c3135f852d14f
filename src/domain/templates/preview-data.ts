import { parsed } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import type { JsonObject } from '../conditions/subject.ts';
import type { RecordedEvent } from '../event.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Profile } from '../profile.ts';
import { findEvent } from '../reading/events.ts';
import { findProfile } from '../reading/profiles.ts';
import { invalid } from '../service-error.ts';
import { findProfileOf } from '../write/look-up.ts';
import type { TemplateData } from './core/compiled.ts';

/** For whom, and after what, a message is previewed. */
export interface Occasion {
  /** A customer of the store; without one, that of the event, or one of whom nothing is known. */
  profile?: { id: string } | { identifiers: Identifiers } | undefined;
  event?: { id: string } | { eventType: string; properties: JsonObject } | undefined;
  data: JsonObject;
}

/** A customer of whom nothing is known. */
const NOBODY = { id: null, identifiers: {}, attributes: {}, created_at: null, updated_at: null };
const NOWHERE = 'https://preview.invalid';
/** Where the links of a preview lead that would change something. Nothing is at such a host. */
export const PREVIEW_LINKS = {
  unsubscribe: `${NOWHERE}/unsubscribe`,
  preferences: `${NOWHERE}/preferences`,
  view: `${NOWHERE}/view`,
};

/** Reads what a message of the store is made of. Throws `validation_error` if the store has no such customer or event. */
export async function readPreviewData(
  db: Sql,
  caller: Caller,
  { profile, event, data }: Occasion,
): Promise<Omit<TemplateData, 'store'>> {
  const recorded = event && 'id' in event ? await readEvent(db, caller, event.id) : undefined;
  const customer = profile ? await readProfile(db, caller, profile) : undefined;
  if (recorded && customer && recorded.profileId !== customer.id) {
    throw invalid({ path: ['event', 'id'], problem: 'is that of an event of another customer' });
  }
  const whose = customer ?? (recorded && (await findProfile(db, caller, recorded.profileId)));
  const made = event && 'eventType' in event ? event : undefined;
  const now = new Date().toISOString();
  return {
    profile: whose ? profileData(whose) : NOBODY,
    event: recorded ? eventData(recorded) : made ? madeUp(made, now) : null,
    campaign: null,
    data,
    unsubscribe_url: PREVIEW_LINKS.unsubscribe,
    preferences_url: PREVIEW_LINKS.preferences,
    view_url: PREVIEW_LINKS.view,
    now,
  };
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

function madeUp({ eventType, properties }: { eventType: string; properties: JsonObject }, now: string) {
  return { id: null, event_type: eventType, profile_id: null, properties, occurred_at: now, received_at: now };
}

/** What templates know of a customer. */
export function profileData(profile: Profile): TemplateData['profile'] {
  const { id, email, phone, externalId, sourceId, anonymousId, attributes, createdAt, updatedAt } = profile;
  return {
    id,
    identifiers: { email, phone, external_id: externalId, source_id: sourceId, anonymous_id: anonymousId },
    attributes: parsed(attributes),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

/** What templates know of an event. */
export function eventData(event: RecordedEvent): NonNullable<TemplateData['event']> {
  const { id, eventType, profileId, properties, occurredAt, receivedAt } = event;
  return {
    id,
    event_type: eventType,
    profile_id: profileId,
    properties: parsed(properties),
    occurred_at: occurredAt.toISOString(),
    received_at: receivedAt.toISOString(),
  };
}
