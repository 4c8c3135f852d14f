import { copyOf, type Fields, isFields, randomId } from './values.ts';
import type { Identifiers } from './visitor.ts';

const FIELDS = new Set(['first_name', 'last_name', 'organization', 'title', 'image', 'locale']);
const PLACES = new Set(['address1', 'address2', 'city', 'region', 'zip', 'country', 'timezone']);
/** Changes of lists and names of fields to remove, by the names that pages give them. */
const PATCHES = new Map([
  ['$append', 'append'],
  ['$unappend', 'unappend'],
  ['$unset', 'unset'],
]);
const EMAIL = /^[^\s@]+@[^\s@]+[.。][^\s@]+$/;
const PHONE = /^\+?[\p{Nd}\s().\p{Pd}−ー]{5,}$/u;
const INVISIBLE = /\p{DI}/gu;

/** What a page says about its visitor, in the terms of the API. */
export interface Said {
  identifiers: Identifiers;
  attributes: Fields;
  patch: Fields | undefined;
}

/** As the service reads it: it takes many spellings for the same. */
function plain(text: string): string {
  return text.normalize('NFKC').replace(INVISIBLE, '');
}

/** Translates the properties of `identify`, with the old names (`$email`, `$id`) and the new ones. */
export function readProfile(properties: unknown): Said {
  const identifiers: Identifiers = {};
  const attributes: Fields = {};
  const others: Fields = {};
  const location: Fields = {};
  const patch: Fields = {};
  for (const [given, value] of Object.entries(copyOf(properties))) {
    const name = given.replace(/^\$/, '');
    const isOld = name !== given;
    const operation = PATCHES.get(given);
    const text = typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : '';
    if (name === 'email') {
      if (EMAIL.test(plain(text))) identifiers.email = text.toLowerCase();
    } else if (name === 'phone_number') {
      if (PHONE.test(plain(text))) identifiers.phone_number = text;
    } else if (given === '$id' || name === 'external_id') {
      if (text) identifiers.external_id = text;
    } else if (given === '$anonymous' || name === 'anonymous_id') {
      if (text) identifiers.anonymous_id = text;
    } else if (FIELDS.has(name)) attributes[name] = value;
    else if (isOld && PLACES.has(name)) location[name] = value;
    else if (given === 'location' && isFields(value)) Object.assign(location, value);
    else if (operation) patch[operation] = value;
    // Only the third party can read these two.
    else if (given !== '$kid' && given !== '_kx') others[given] = value;
  }
  if (Object.keys(location).length > 0) attributes.location = location;
  if (Object.keys(others).length > 0) attributes.properties = others;
  return { identifiers, attributes, patch: Object.keys(patch).length > 0 ? patch : undefined };
}

/**
 * Translates an event. Each has a `unique_id`, the page's or a random one, so that it is recorded once however often it
 * is sent.
 */
export function readEvent(name: string, properties: unknown): Fields {
  const { $value, $event_id, unique_id, time, ...others } = copyOf(properties);
  const event: Fields = { metric: { data: { type: 'metric', attributes: { name } } }, properties: others };
  event.unique_id = `${$event_id || unique_id || randomId()}`;
  if ($value !== undefined) {
    // Not `isFinite`, for which null and '' are numbers.
    if (/^-?\d+(?:\.\d+)?$/.test(`${$value}`)) event.value = Number($value);
    else others.$value = $value;
  }
  if (time !== undefined) {
    const at = new Date(typeof time === 'number' ? time * 1000 : `${time}`);
    if (Number.isNaN(at.getTime())) others.time = time;
    else event.time = at.toISOString();
  }
  return event;
}
