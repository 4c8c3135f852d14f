import { eventDocument, eventJobDocument, profileJobDocument } from '../compat/documents.ts';

/** A kind of request that writes. Whatever it writes carries a mark, by which the database is searched for it. */
export interface Kind {
  path: string;
  /** How many clients send it at the same time. */
  writers: number;
  /** The body of a request, for a mark that no other request has. */
  body(mark: string): object;
  /** The marks of the events that it records. */
  events(mark: string): string[];
  /** The external ids of the profiles that it is about. */
  profiles(mark: string): string[];
  /** Whether it may be sent again when nobody knows what became of it. */
  repeatable: boolean;
  /** The id of what was recorded, where the answer tells one. */
  idOf?(body: any): string;
}

const ITEMS = 12;
const CUSTOMERS = 10;

const one = (mark: string) => [mark];
const none = () => [];
const many = (mark: string) => Array.from({ length: ITEMS }, (_, i) => `${mark}.${i}`);

/** Every other event is that of a new customer; the others compete for a few. */
function customerOf(mark: string): string {
  const n = Number(/\d+$/.exec(mark)?.[0]);
  return n % 2 === 0 ? mark : `customer-${n % CUSTOMERS}`;
}
const customer = (mark: string) => [customerOf(mark)];
const customers = (mark: string) => many(mark).map(customerOf);

function event(mark: string, idempotencyKey?: string) {
  const profile = { external_id: customerOf(mark) };
  return {
    event_type: 'visit',
    profile,
    properties: { mark },
    ...(idempotencyKey && { idempotency_key: idempotencyKey }),
  };
}

function compatEvent(mark: string) {
  return { metric: 'Visit', properties: { mark }, unique_id: mark };
}

export const KINDS: readonly Kind[] = [
  {
    path: '/v1/events',
    writers: 5,
    body: (mark) => event(mark, mark),
    events: one,
    profiles: customer,
    repeatable: true,
    idOf: ({ id }) => id,
  },
  {
    path: '/v1/events',
    writers: 5,
    body: (mark) => event(mark),
    events: one,
    profiles: customer,
    repeatable: false,
    idOf: ({ id }) => id,
  },
  {
    path: '/v1/profiles/upsert',
    writers: 5,
    body: (mark) => ({ identifiers: { external_id: mark }, attributes: { mark } }),
    events: none,
    profiles: one,
    repeatable: true,
    idOf: ({ id }) => id,
  },
  {
    path: '/v1/events/bulk',
    writers: 5,
    body: (mark) => ({ events: many(mark).map((each) => event(each, each)) }),
    events: many,
    profiles: customers,
    repeatable: true,
  },
  {
    path: '/compat/v1/events',
    writers: 5,
    body: (mark) => eventDocument({ ...compatEvent(mark), profile: { external_id: customerOf(mark) } }),
    events: one,
    profiles: customer,
    repeatable: true,
    idOf: ({ data }) => data.id,
  },
  {
    path: '/compat/v1/profile-bulk-import-jobs',
    writers: 2,
    body: (mark) => profileJobDocument(many(mark).map((each) => ({ external_id: each }))),
    events: none,
    profiles: many,
    repeatable: true,
  },
  {
    path: '/compat/v1/event-bulk-create-jobs',
    writers: 2,
    body: (mark) =>
      eventJobDocument(
        many(mark).map((each) => ({ profile: { external_id: customerOf(each) }, events: [compatEvent(each)] })),
      ),
    events: many,
    profiles: customers,
    repeatable: true,
  },
];
