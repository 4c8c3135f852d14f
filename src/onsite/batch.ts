import type { Fields } from './values.ts';
import type { Identifiers } from './visitor.ts';

/** What one request tells of one visitor. */
export interface Batch {
  /** When the page said it, in milliseconds since 1970. */
  at: number;
  who: Identifiers;
  attributes: Fields;
  patch?: Fields | undefined;
  events: Fields[];
  /** The id of a variant or an item that the visitor waits for. */
  waitsFor?: string | undefined;
}

export const MAX_EVENTS = 50;
/** Milliseconds after which the service has to be told when something happened. */
const LATE = 5000;

/** Returns the operation that takes a batch, and its body. */
export function requestOf({ at, who, attributes, patch, events, waitsFor }: Batch): [operation: string, body: string] {
  const isLate = Date.now() - at > LATE;
  const timed = events.map((event) => (isLate ? { time: new Date(at).toISOString(), ...event } : event));
  const profile = { data: { type: 'profile', attributes: { ...who, ...attributes } } };
  const document = (type: string, content: Fields) => JSON.stringify({ data: { type, attributes: content } });
  if (waitsFor !== undefined) {
    const variant = { data: { type: 'catalog-variant', id: waitsFor } };
    const type = 'back-in-stock-subscription';
    return [`${type}s`, JSON.stringify({ data: { type, attributes: { profile }, relationships: { variant } } })];
  }
  if (timed.length === 1) return ['events', document('event', { ...timed[0], profile })];
  if (timed.length > 1) {
    const data = timed.map((event) => ({ type: 'event', attributes: event }));
    return ['event-bulk-create', document('event-bulk-create', { profile, events: { data } })];
  }
  return ['profiles', JSON.stringify({ data: { ...profile.data, meta: patch && { patch_properties: patch } } })];
}

/** Adds what the page says to a batch of the same visitor, if it still has room; returns whether it has. */
export function addTo(batch: Batch, more: Batch): boolean {
  if (batch.patch || more.patch || batch.waitsFor !== undefined || more.waitsFor !== undefined) return false;
  if (JSON.stringify(batch.who) !== JSON.stringify(more.who)) return false;
  if (batch.events.length + more.events.length > MAX_EVENTS) return false;
  for (const [name, value] of Object.entries(more.attributes)) {
    const before = batch.attributes[name];
    // Only `properties` and `location` are objects.
    batch.attributes[name] = typeof value === 'object' && value ? { ...(before as object), ...value } : value;
  }
  batch.events.push(...more.events);
  return true;
}
