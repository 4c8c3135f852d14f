/** Every document that the third party's schemas allow, within the limits that it documents. */
import fc, { type Arbitrary } from 'fast-check';
import type { EventFields, EventGroup, ProfileFields } from './documents.ts';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** Text that can be stored: any characters but NUL. */
const text = (constraints: fc.StringConstraints = { maxLength: 40 }) =>
  fc
    .oneof(
      fc.string({ ...constraints, unit: 'grapheme-ascii' }),
      fc.string({ ...constraints, unit: 'grapheme' }),
      fc.string({ ...constraints, unit: 'binary' }),
    )
    .filter((value) => !value.includes('\0'));

/** Text that is not blank: a blank one counts as absent where it would identify something. */
const named = (maxLength: number) =>
  text({ minLength: 1, maxLength }).filter((value) => value.trim() !== '' && [...value].length <= maxLength);

/** A number as JSON has it. */
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));

/** Free-form data, as JSON has it. */
export const free = fc
  .dictionary(text(), fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), { maxKeys: 12 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)
  .filter((value) => !/\\u0000|"__proto__"/.test(JSON.stringify(value)));

/** Each field absent, null or valued, but for those that are required. */
function fields<Fields extends Record<string, Arbitrary<unknown>>>(required: (keyof Fields)[], all: Fields) {
  const entries = Object.entries(all).map(([name, value]) => [
    name,
    required.includes(name) ? value : fc.option(value),
  ]);
  return fc.record(Object.fromEntries(entries), { requiredKeys: required as string[] }) as Arbitrary<
    Record<string, any>
  >;
}

const email = fc.emailAddress().filter((address) => address.length <= 240);
const phone = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^\d{6,14}$/))
  .map(([first, rest]) => `+${first}${rest}`);

const location = fields([], {
  ...Object.fromEntries(
    ['address1', 'address2', 'city', 'country', 'region', 'zip', 'timezone', 'ip'].map((name) => [name, text()]),
  ),
  latitude: fc.oneof(text(), number),
  longitude: fc.oneof(text(), number),
});

const meta = fields([], {
  patch_properties: fields([], {
    append: free,
    unappend: free,
    unset: fc.oneof(named(40), fc.array(text(), { maxLength: 5 })),
  }),
  patch_identifiers: fc.record(
    { append: fc.record({ email: fc.oneof(email, fc.array(email, { maxLength: 3 })) }), unappend: fc.constant({}) },
    { requiredKeys: [] },
  ),
});

const attributes = {
  email,
  phone_number: phone,
  external_id: named(240),
  anonymous_id: named(240),
  _kx: text({ maxLength: 200 }),
  first_name: text(),
  last_name: text(),
  organization: text(),
  locale: text(),
  title: text(),
  image: text({ maxLength: 500 }),
  location,
  properties: free,
};

const IDENTIFIERS = ['email', 'phone_number', 'external_id', 'anonymous_id'];
const isIdentified = (profile: ProfileFields) => IDENTIFIERS.some((name) => profile[name] != null);

/** A profile with at least one identifier; `meta` where the single operations or the bulk jobs have it. */
export const profiles = (place: 'within' | 'beside'): Arbitrary<ProfileFields> =>
  fc
    .tuple(
      fields([], place === 'within' ? { ...attributes, meta } : attributes).filter(isIdentified),
      fields([], place === 'within' ? { id: fc.constant('') } : { id: fc.constant(''), meta }),
    )
    .map(([profile, beside]) => ({ ...profile, beside }));

/** When an event may have happened. */
export const time = fc
  .tuple(
    fc.date({ min: new Date('1990-01-02'), max: new Date(Date.now() + YEAR_MS - YEAR_MS / 365), noInvalidDate: true }),
    fc.constantFrom('Z', '+00:00', '-07:00', '+13:45'),
    fc.constantFrom('', '.5', '.123', '.123456'),
  )
  .map(([date, offset, fraction]) => `${date.toISOString().slice(0, 19)}${fraction}${offset}`);

const metric = fc.oneof(named(128), fields(['name'], { name: named(128), service: text() })) as Arbitrary<
  string | object
>;

const eventAttributes = {
  metric,
  properties: free,
  time,
  value: number,
  value_currency: fc.constantFrom('USD', 'EUR', 'JPY', 'XXX'),
  unique_id: named(255),
  backfill: fc.boolean(),
};

const groupedEvents = fields(['metric', 'properties'], eventAttributes) as Arbitrary<EventFields>;

export const events: Arbitrary<EventFields> = fc
  .tuple(groupedEvents, profiles('within'))
  .map(([event, profile]) => ({ ...event, profile }));

/** Groups of a bulk request, each of another customer. */
export const eventGroups: Arbitrary<EventGroup[]> = fc
  .array(
    fc.record(
      {
        profile: profiles('beside'),
        events: fc.array(groupedEvents, { maxLength: 4 }),
        backfill: fc.option(fc.boolean()),
      },
      { requiredKeys: ['profile', 'events'] },
    ),
    { maxLength: 4 },
  )
  .map((groups) => groups.map((group, i) => ({ ...group, profile: distinct(group.profile, i) })) as EventGroup[]);

/** Profiles of a bulk request, each of another customer. */
export const profileLists: Arbitrary<ProfileFields[]> = fc
  .array(profiles('beside'), { maxLength: 6 })
  .map((list) => list.map(distinct));

/** The profile with identifiers that no other of its request has. */
function distinct(profile: ProfileFields, index: number): ProfileFields {
  const own: Record<string, (value: unknown) => string> = {
    email: (value) => `i${index}${value}`,
    phone_number: () => `+4930100000${index}`,
    external_id: (value) => `${index}${value}`,
    anonymous_id: (value) => `${index}${value}`,
  };
  const given = Object.entries(own).filter(([name]) => profile[name] != null);
  return { ...profile, ...Object.fromEntries(given.map(([name, change]) => [name, change(profile[name])])) };
}

/** Documents of which one part, anywhere, is gone or something else; most of them are invalid. */
export const mutated = (documents: Arbitrary<object>): Arbitrary<object> =>
  fc
    .tuple(documents, fc.nat(), fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }))
    .map(([document, at, value]) => {
      const copy = JSON.parse(JSON.stringify(document));
      const places = placesOf(copy);
      const [parent, key] = places[at % places.length] as Place;
      if (value !== undefined) parent[key] = JSON.parse(JSON.stringify(value));
      else if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
      return copy;
    });

type Place = [parent: Record<string, unknown>, key: string];

/** Every member of every object and list in a document. */
function placesOf(value: object): Place[] {
  return Object.entries(value).flatMap(([key, item]) => [
    [value as Record<string, unknown>, key],
    ...(typeof item === 'object' && item !== null ? placesOf(item) : []),
  ]);
}

/** A job about consent, of the channels that it names or of those whose address it gives. */
export const consents = (type: string, consent: string): Arbitrary<unknown> => {
  const choice = fc.record({ marketing: fc.option(fc.constant({ consent })) });
  const subscriptions = fc.record({ email: fc.option(choice), sms: fc.option(choice) }, { requiredKeys: [] });
  const one = fc.record({
    type: fc.constant('profile'),
    attributes: fc.record(
      { email: fc.emailAddress(), phone_number: fc.constant('+4930100000'), subscriptions: fc.option(subscriptions) },
      { requiredKeys: ['email'] },
    ),
  });
  const relationships = fc.option(fc.constant({ list: { data: { type: 'list', id: 'XyZ123' } } }));
  return fc
    .tuple(
      fc.array(one, { maxLength: 4 }),
      fc.option(fc.string({ maxLength: 40, unit: 'grapheme-ascii' })),
      relationships,
    )
    .map(([data, custom_source, list]) => ({
      data: { type, attributes: { custom_source, profiles: { data } }, relationships: list },
    }));
};

/** A subscription to an item from a page. */
export const backInStockSubscriptions: Arbitrary<unknown> = fc
  .tuple(email, fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' }))
  .map(([address, id]) => ({
    data: {
      type: 'back-in-stock-subscription',
      attributes: { profile: { data: { type: 'profile', attributes: { email: address } } } },
      relationships: { variant: { data: { type: 'catalog-variant', id } } },
    },
  }));

/** A subscription from a page. */
export const subscriptions: Arbitrary<unknown> = fc
  .tuple(email, fc.option(fc.string({ maxLength: 40, unit: 'grapheme-ascii' })))
  .map(([address, custom_source]) => ({
    data: {
      type: 'subscription',
      attributes: { custom_source, profile: { data: { type: 'profile', attributes: { email: address } } } },
      relationships: { list: { data: { type: 'list', id: 'XyZ123' } } },
    },
  }));
