import type { JsonObject } from '../conditions/subject.ts';
import type { Definition } from '../definition/definition.ts';
import { capture } from './capture.ts';
import type { Occurrence } from './input.ts';
import type { Captured, Origin } from './run.ts';

export function originOf(occurrence: Occurrence, profileId: string): Origin {
  switch (occurrence.type) {
    case 'event': {
      const { id, occurredAt, receivedAt } = occurrence.event;
      return { id, type: 'event', at: occurredAt, receivedAt, eventId: id };
    }
    case 'change': {
      const { id, at } = occurrence.change;
      return { id, type: 'profile_change', at, receivedAt: at, eventId: null };
    }
    case 'segment': {
      const { id, kind, at } = occurrence.move;
      return { id, type: kind === 'entered' ? 'segment_entry' : 'segment_exit', at, receivedAt: at, eventId: null };
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
    case 'enrol': {
      const { key, at } = occurrence;
      return { id: `manual:${key}`, type: 'manual', at, receivedAt: at, eventId: null };
    }
  }
}

/** The same for the same day, though it may be due at another time than before. */
export function dateTriggerId(profileId: string, day: string): string {
  return `date:${profileId}:${day}`;
}

/** Those who were in the segment when a version was published start once by it. */
export function memberTriggerId(profileId: string, version: number): string {
  return `member:${profileId}:${version}`;
}

export function propertiesOf(occurrence: Occurrence): JsonObject {
  if (occurrence.type === 'event') return occurrence.event.properties;
  return occurrence.type === 'enrol' ? occurrence.properties : {};
}

export function capturedOf(occurrence: Occurrence, definition: Definition): Captured {
  const { properties, omitted } = capture(definition, propertiesOf(occurrence));
  if (occurrence.type !== 'event') return { event: null, properties, omitted };
  const { id, eventType, occurredAt } = occurrence.event;
  return { event: { id, eventType, occurredAt }, properties, omitted };
}
