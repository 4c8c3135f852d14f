import { canonicalName } from '../../domain/canonical/text.ts';
import { decode, encode } from '../../domain/reading/cursor.ts';

/** Maximum characters of an event type, as on the native surface. */
const MAX_LENGTH = 128;

/** Converts a metric's name to an event type: `Placed Order`, `PlacedOrder` and `placed-order` → `placed_order`. */
export function toEventType(name: string): string {
  const plain = canonicalName(name);
  const snake = plain
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  // A name made up only of symbols, such as 🎉, is its own event type.
  const type = snake || plain;
  return type.length <= MAX_LENGTH ? type : [...type].slice(0, MAX_LENGTH).join('');
}

/** Event types that are their metric's id as they are; nothing in them has to be encoded in a URL. */
const URL_SAFE = /^\w[\w.-]*$/;
const ENCODED = '~';

/** Returns the id of the metric of an event type. */
export function toMetricId(eventType: string): string {
  return URL_SAFE.test(eventType) ? eventType : ENCODED + encode(eventType);
}

/** Returns the event type of a metric's id; of any other text, a type that no event has. */
export function fromMetricId(id: string): string {
  const isEncoded = id.startsWith(ENCODED);
  const eventType = isEncoded ? decode(id.slice(1)) : id;
  return eventType !== undefined && toMetricId(eventType) === id ? eventType : '';
}
