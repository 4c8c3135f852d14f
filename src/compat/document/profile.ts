import type {
  EventProfile,
  Location,
  ProfileDocument,
  ProfileMeta,
  ProfileInput as ProfileResource,
} from '../../../generated/compat/types.gen.ts';
import { parsed } from '../../db/raw-json.ts';
import type { AttributePatch, Attributes } from '../../domain/attributes/attributes.ts';
import type { Caller } from '../../domain/caller.ts';
import { readEmail } from '../../domain/canonical/email.ts';
import type { Spellings } from '../../domain/canonical/spellings.ts';
import { canonicalIdentifiers, type Identifiers } from '../../domain/identifiers.ts';
import type { Profile } from '../../domain/profile.ts';
import type { Violation } from '../../domain/service-error.ts';
import type { ProfileChange } from '../../domain/write/draft.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { malformedIdentifiers } from '../schema-keywords.ts';
import { asText, mapOf, present } from './text.ts';

type Resource = EventProfile['data'] | ProfileResource;
type ResourceAttributes = NonNullable<Resource['attributes']>;

const TEXTS = ['first_name', 'last_name', 'organization', 'locale', 'title', 'image'] as const;
const PLACES = ['address1', 'address2', 'city', 'country', 'region', 'zip', 'timezone', 'ip'] as const;
const COORDINATES = ['latitude', 'longitude'] as const;
const STANDARD: ReadonlySet<string> = new Set([...TEXTS, 'location']);

/** Tells a custom property from the standard attribute of the same name among the attributes of the domain. */
const PREFIX = 'properties.';

/** Converts a validated profile resource of a caller. */
export function toProfileChange(resource: Resource, caller: Caller): ProfileChange {
  const attributes = resource.attributes ?? {};
  const metas = [attributes.meta, resource.meta].filter((meta) => meta != null);
  return {
    profileId: present(resource.id) ? toProfileId(resource.id) : undefined,
    identifiers: toIdentifiers(attributes, caller),
    addEmails: toEmails(metas, 'append', ({ owned }) => owned.toReversed()),
    dropEmails: toEmails(metas, 'unappend', ({ owned, lookedUp }) => [...owned, ...lookedUp]),
    patch: toPatch(attributes, metas),
  };
}

/** Only the ids of this service have no upper and lower case; any other is that of the third party. */
function toProfileId(id: string): string {
  return isId(id) ? id.toLowerCase() : id;
}

/** Returns the header that tells the client which identifiers of the profiles were left out, as they can't be used. */
export function partialFailure(resources: readonly Resource[]): Record<string, string> {
  const names = new Set(resources.flatMap(({ attributes }) => malformedIdentifiers(attributes ?? {})));
  return names.size > 0 ? { 'X-Klaviyo-Partial-Failure': [...names].sort().join() } : {};
}

function toIdentifiers(attributes: ResourceAttributes, { country }: Caller): Identifiers {
  const { email, phone_number, external_id, anonymous_id } = attributes;
  const given = {
    external_id: present(external_id) ? String(external_id) : undefined,
    email: present(email) ? email : undefined,
    phone: present(phone_number) ? String(phone_number) : undefined,
    anonymous_id: present(anonymous_id) ? String(anonymous_id) : undefined,
  };
  return canonicalIdentifiers(given, country);
}

/** `spelt` says which spellings are meant of an address that has several. */
function toEmails(
  metas: ProfileMeta[],
  operation: 'append' | 'unappend',
  spelt: (spellings: Spellings) => readonly string[],
): string[] | undefined {
  const emails = metas
    .flatMap((meta) => listOf(mapOf(meta?.patch_identifiers?.[operation]).email))
    .flatMap((email) => readEmail(String(email)) ?? [])
    .flatMap(({ value, spellings }) => (spellings ? spelt(spellings) : [value]));
  return emails.length > 0 ? [...new Set(emails)] : undefined;
}

function toPatch(attributes: ResourceAttributes, metas: ProfileMeta[]): AttributePatch | undefined {
  const { location, properties } = attributes;
  const texts = TEXTS.filter((name) => attributes[name] !== undefined).map((name) => [name, asText(attributes[name])]);
  const customProperties = Object.entries(mapOf(properties)).map(([name, value]) => [toAttributeName(name), value]);
  const removed = location === null ? [['location', null]] : [];
  const fields = Object.entries(mapOf(location)).flatMap(([name, value]) => {
    if ((PLACES as readonly string[]).includes(name)) return [[name, asText(value)]];
    return (COORDINATES as readonly string[]).includes(name) ? [[name, value]] : [];
  });
  const patches = metas.flatMap((meta) => meta?.patch_properties ?? []);
  const patch: AttributePatch = {
    ...nonEmpty('set', Object.fromEntries([...texts, ...customProperties, ...removed])),
    ...nonEmpty('merge', fields.length > 0 ? { location: Object.fromEntries(fields) } : {}),
    ...nonEmpty('append', toLists(patches.map(({ append }) => append))),
    ...nonEmpty('unappend', toLists(patches.map(({ unappend }) => unappend))),
    ...nonEmpty('unset', patches.flatMap(({ unset }) => (present(unset) ? [unset].flat() : [])).map(toAttributeName)),
  };
  return Object.keys(patch).length > 0 ? patch : undefined;
}

const LOCATION = [...PLACES, ...COORDINATES] as const;

/** Returns the values by property, from both places where a client may put them. */
function toLists(maps: (object | unknown[] | null | undefined)[]): Record<string, unknown[]> {
  // A map, because a property may be named like a method of every object, such as `valueOf`.
  const lists = new Map<string, unknown[]>();
  for (const [name, value] of maps.flatMap((map) => Object.entries(mapOf(map)))) {
    lists.set(toAttributeName(name), [...(lists.get(toAttributeName(name)) ?? []), ...listOf(value)]);
  }
  return Object.fromEntries(lists);
}

function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function nonEmpty<Name extends string, Value extends object>(name: Name, value: Value): { [Key in Name]?: Value } {
  return Object.keys(value).length > 0 ? ({ [name]: value } as { [Key in Name]?: Value }) : {};
}

/** Returns the attribute name of a custom property. */
function toAttributeName(property: string): string {
  return STANDARD.has(property) || property.startsWith(PREFIX) ? PREFIX + property : property;
}

/** Returns the custom property of an attribute name. */
function toCustomProperty(attribute: string): string {
  const rest = attribute.startsWith(PREFIX) ? attribute.slice(PREFIX.length) : attribute;
  return toAttributeName(rest) === attribute ? rest : attribute;
}

const WIRE_NAME: Readonly<Record<string, string>> = { phone: 'phone_number' };

/**
 * Converts the domain's path to the path in a profile resource: `['identifiers', 'phone']` → `['attributes',
 * 'phone_number']`.
 */
export function toResourcePath([first, ...rest]: Violation['path']): Violation['path'] {
  if (first === 'identifiers') return ['attributes', ...rest.map((kind) => WIRE_NAME[kind] ?? kind)];
  if (first === 'attributes')
    return ['attributes', 'properties', ...rest.map((name) => toCustomProperty(String(name)))];
  return first === undefined ? [] : [first, ...rest];
}

export function toProfileDocument(profile: Profile, lastEventAt: Date | null, self: string): ProfileDocument {
  const attributes = parsed(profile.attributes);
  // The native surface allows any value under a standard name: one that has the wrong type here is shown as a property.
  const isStandard = (name: string, value: unknown) =>
    name === 'location' ? isLocation(value) : STANDARD.has(name) && typeof value === 'string';
  const properties = Object.entries(attributes).filter(([name, value]) => !isStandard(name, value));
  return {
    data: {
      type: 'profile',
      id: profile.id,
      attributes: {
        email: profile.email,
        phone_number: profile.phone,
        external_id: profile.externalId,
        anonymous_id: profile.anonymousId,
        ...(Object.fromEntries(TEXTS.map((name) => [name, textOf(attributes, name)])) as Texts),
        created: toMicroseconds(profile.createdAt),
        updated: toMicroseconds(profile.updatedAt),
        last_event_date: lastEventAt && toMicroseconds(lastEventAt),
        location: toLocation(attributes.location),
        properties: Object.fromEntries(properties.map(([name, value]) => [toCustomProperty(name), value])),
      },
      links: { self },
    },
  };
}

type Texts = Record<(typeof TEXTS)[number], string | null>;
type FullLocation = ProfileDocument['data']['attributes']['location'];

function textOf(attributes: Attributes, name: string): string | null {
  const value = attributes[name];
  return typeof value === 'string' ? value : null;
}

function isLocation(value: unknown): value is NonNullable<Location> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, part]) => {
    if ((COORDINATES as readonly string[]).includes(name)) return typeof part === 'string' || typeof part === 'number';
    return (PLACES as readonly string[]).includes(name) && typeof part === 'string';
  });
}

function toLocation(value: unknown): FullLocation {
  const location = isLocation(value) ? mapOf(value) : {};
  return Object.fromEntries(LOCATION.map((name) => [name, location[name] ?? null])) as unknown as FullLocation;
}

/** Formats a time as the third party does: `2026-11-20T09:15:27.401000+00:00`. */
export function toMicroseconds(time: Date): string {
  return time.toISOString().replace('Z', '000+00:00');
}
