import type { JsonObject } from '../../../conditions/subject.ts';
import type { Definition, Trigger } from '../definition/definition.ts';
import { capture } from './capture.ts';
import type { Occurrence, ProfileChange } from './input.ts';
import type { Captured, Origin, Run } from './run.ts';

export function originOf(occurrence: Occurrence, profileId: string): Origin {
  switch (occurrence.type) {
    case 'event': {
      const { id, occurredAt, receivedAt, chain } = occurrence.event;
      return { id, type: 'event', at: occurredAt, receivedAt, eventId: id, ...(chain && { chain }) };
    }
    case 'change': {
      const { id, at, chain } = occurrence.change;
      return { id, type: typeOf(occurrence.change), at, receivedAt: at, eventId: null, ...(chain && { chain }) };
    }
    case 'segment': {
      const { id, kind, at, chain } = occurrence.move;
      const type = kind === 'entered' ? 'segment_entry' : 'segment_exit';
      return { id, type, at, receivedAt: at, eventId: null, ...(chain && { chain }) };
    }
    case 'member': {
      const { version, at } = occurrence;
      const id = memberTriggerId(profileId, version);
      return { id, type: 'segment_entry', at, receivedAt: at, eventId: null };
    }
    case 'date': {
      const { dueAt: at, day } = occurrence.occasion;
      return { id: dateTriggerId(profileId, day), type: 'date', at, receivedAt: at, eventId: null };
    }
    case 'catalog': {
      const { id, at } = occurrence.change;
      return { id: catalogTriggerId(profileId, id), type: 'catalog', at, receivedAt: at, eventId: null };
    }
    case 'schedule': {
      const { dueAt: at, day } = occurrence.occasion;
      return { id: scheduleTriggerId(profileId, day), type: 'schedule', at, receivedAt: at, eventId: null };
    }
    case 'enrol': {
      const { key, at } = occurrence;
      return { id: `manual:${key}`, type: 'manual', at, receivedAt: at, eventId: null };
    }
  }
}

function typeOf({ moved, chose }: ProfileChange): Trigger['type'] {
  if (moved?.kind === 'list') return moved.isMember ? 'list_joined' : 'list_left';
  if (chose) return chose.isGiven ? 'consent_given' : 'consent_withdrawn';
  return 'profile_change';
}

/**
 * The id of what the automations began with that led to a run: of an event or a change, or of the first run where nothing
 * else has one.
 */
export function chainOf({ id, trigger }: Pick<Run, 'id' | 'trigger'>): string {
  return trigger.chain ?? (isIdOfItsOwn(trigger) ? trigger.id : id);
}

/** Occasions that are made up of a customer and a day or a version are no rows. */
function isIdOfItsOwn({ id }: Origin): boolean {
  return !id.includes(':');
}

/** The same for the same day, though it may be due at another time than before. */
export function dateTriggerId(profileId: string, day: string): string {
  return `date:${profileId}:${day}`;
}

/** A customer starts once on a day of a schedule. */
export function scheduleTriggerId(profileId: string, day: string): string {
  return `schedule:${profileId}:${day}`;
}

/** Those who were in the segment when a version was published start once by it. */
export function memberTriggerId(profileId: string, version: number): string {
  return `member:${profileId}:${version}`;
}

/** A change starts one run for a customer, whatever the customer has done with the item. */
export function catalogTriggerId(profileId: string, changeId: string): string {
  return `catalog:${changeId}:${profileId}`;
}

export function propertiesOf(occurrence: Occurrence): JsonObject {
  if (occurrence.type === 'event') return occurrence.event.properties;
  if (occurrence.type === 'catalog') return occurrence.change.properties;
  return occurrence.type === 'enrol' ? occurrence.properties : {};
}

/** By which conditions and messages find the item again, whatever steps name of it. */
const OF_ITEM = ['change', 'item_id', 'variant_id', 'currency'].map((name) => [name]);

export function capturedOf(occurrence: Occurrence, definition: Definition): Captured {
  const { properties, omitted } = capture(
    definition,
    propertiesOf(occurrence),
    occurrence.type === 'catalog' ? OF_ITEM : [],
  );
  if (occurrence.type !== 'event') return { event: null, properties, omitted };
  const { id, eventType, occurredAt } = occurrence.event;
  return { event: { id, eventType, occurredAt }, properties, omitted };
}
