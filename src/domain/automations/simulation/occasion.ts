import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import type { Caller } from '../../caller.ts';
import type { JsonObject, Profile } from '../../conditions/subject.ts';
import type { Identifiers } from '../../identifiers.ts';
import { findEvent } from '../../reading/events.ts';
import { invalid } from '../../service-error.ts';
import { findProfileOf } from '../../write/look-up.ts';
import type { Definition } from '../core/definition/definition.ts';
import { segmentOf, triggerListOf } from '../core/definition/uses.ts';
import { nextDate } from '../core/machine/date-plan.ts';
import type { Occurrence } from '../core/machine/input.ts';
import { nextOccurrence, scheduleZone } from '../core/time/schedules.ts';
import { toCustomerEvent } from '../stored/customer-event.ts';
import { readProfiles } from '../stored/standing.ts';

/** What a simulation starts from: an event of the store, or something that is made up for one of its customers. */
export type Start = { eventId: string } | MadeUp;

export interface MadeUp {
  identifiers: Identifiers;
  properties?: JsonObject | undefined;
  /** By default now. */
  occurredAt?: Date | undefined;
  /** With a trigger of changes; null and undefined stand for no value. */
  change?: { from?: unknown; to?: unknown } | undefined;
}

/** What happens, and to whom. */
export interface Occasion {
  occurrence: Occurrence;
  profile: Profile;
}

/** Throws `validation_error` if the store does not have what the simulation is to start from, or the trigger differs. */
export async function findOccasion(
  db: Sql,
  caller: Caller,
  definition: Definition,
  start: Start,
  storeZone: string | null,
): Promise<Occasion> {
  return 'eventId' in start
    ? await realEvent(db, caller, definition, start.eventId)
    : await madeUp(db, caller.storeId, definition, start, storeZone);
}

async function realEvent(db: Sql, caller: Caller, { trigger }: Definition, eventId: string): Promise<Occasion> {
  const found = await findEvent(db, caller, eventId);
  if (!found) throw invalid({ path: ['event_id'], problem: 'is not the id of an event' });
  if (trigger.type !== 'event') {
    throw invalid({ path: ['event_id'], problem: 'must be absent, as no event triggers the automation' });
  }
  if (found.eventType !== trigger.event_type) {
    throw invalid({ path: ['event_id'], problem: 'is of an event of another type than the one that triggers' });
  }
  const event = toCustomerEvent(found);
  const profile = await readProfile(db, caller.storeId, found.profileId);
  return { occurrence: { type: 'event', event, runId: newId() }, profile };
}

async function madeUp(
  db: Sql,
  storeId: string,
  definition: Definition,
  what: MadeUp,
  storeZone: string | null,
): Promise<Occasion> {
  const { trigger } = definition;
  const { identifiers, properties, occurredAt, change } = what;
  if (properties && trigger.type !== 'event' && trigger.type !== 'manual') {
    throw invalid({ path: ['properties'], problem: 'must be absent, as what triggers the automation has none' });
  }
  if (change && trigger.type !== 'profile_change') {
    throw invalid({ path: ['change'], problem: 'must be absent, as no change triggers the automation' });
  }
  const profileId = await findProfileOf(db, storeId, identifiers);
  if (profileId === undefined) throw invalid({ path: ['profile'], problem: 'is not that of a known customer' });
  const profile = await readProfile(db, storeId, profileId);
  const [at, runId] = [occurredAt?.getTime() ?? Date.now(), newId()];
  switch (trigger.type) {
    case 'event': {
      const times = { occurredAt: at, receivedAt: at };
      const event = { id: newId(), eventType: trigger.event_type, properties: properties ?? {}, ...times };
      return { occurrence: { type: 'event', event: { ...event, backfill: false, depth: 0 }, runId }, profile };
    }
    case 'manual':
      return { occurrence: { type: 'enrol', key: newId(), properties: properties ?? {}, at, runId }, profile };
    case 'profile_change':
      return changed(profile, trigger.attribute, change, at, runId);
    case 'segment_entry':
    case 'segment_exit': {
      const kind = trigger.type === 'segment_entry' ? 'entered' : 'left';
      const move = { id: newId(), segmentId: segmentOf(definition) as string, kind, at, depth: 0 } as const;
      return { occurrence: { type: 'segment', move, runId }, profile };
    }
    case 'list_joined':
    case 'list_left': {
      const moved = {
        kind: 'list',
        id: triggerListOf(definition) as string,
        isMember: trigger.type === 'list_joined',
      } as const;
      return {
        occurrence: { type: 'change', change: { id: newId(), at, depth: 0, changes: {}, moved }, runId },
        profile,
      };
    }
    case 'consent_given':
    case 'consent_withdrawn': {
      const chose = { channel: trigger.channel, isGiven: trigger.type === 'consent_given' };
      return {
        occurrence: { type: 'change', change: { id: newId(), at, depth: 0, changes: {}, chose }, runId },
        profile,
      };
    }
    case 'schedule': {
      const occasion = nextOccurrence(trigger, scheduleZone(trigger, storeZone), at - 1);
      if (!occasion) throw invalid({ path: ['occurred_at'], problem: 'is after the last day of the schedule' });
      return { occurrence: { type: 'schedule', occasion, runId }, profile };
    }
    case 'date': {
      const occasion = nextDate(definition, profile.attributes, at);
      if (!occasion)
        throw invalid({ path: ['profile'], problem: 'is that of a customer who has no such date to come' });
      return { occurrence: { type: 'date', occasion, runId }, profile };
    }
  }
}

/** By default the attribute, which was absent, gets the value that it has. */
function changed(profile: Profile, name: string, change: MadeUp['change'], at: number, runId: string): Occasion {
  const { [name]: today, ...others } = profile.attributes;
  const { from, to } = change ?? { to: today };
  const sides = {
    ...((from ?? undefined) === undefined ? {} : { from }),
    ...((to ?? undefined) === undefined ? {} : { to }),
  };
  const attributes = 'to' in sides ? { ...others, [name]: to } : others;
  const occurrence = {
    type: 'change',
    change: { id: newId(), at, depth: 0, changes: { [name]: sides } },
    runId,
  } as const;
  return { occurrence, profile: { ...profile, attributes } };
}

async function readProfile(db: Sql, storeId: string, id: string): Promise<Profile> {
  return (await readProfiles(db, storeId, [id])).get(id) ?? { id, identifiers: {}, attributes: {} };
}
