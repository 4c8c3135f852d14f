import { sql } from 'kysely';
import type { Sql } from '../../src/db/orm.ts';

/** A kind of read request: returns the path of the next one. */
export type Read = () => string;

/** Returns any of some items. */
export const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;
/** Returns a random whole number from 0 up to a limit, exclusive. */
export const below = (limit: number) => Math.floor(Math.random() * limit);
const DAY_MS = 24 * 60 * 60 * 1000;
export const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const dayAgo = (days: number) => daysAgo(days).slice(0, 10);
const SAMPLE = 2_000;

/** Returns the e-mail address of a customer of `storeHistory`. */
export function email(n: number): string {
  return `${['ada', 'bob', 'eve', 'ian', 'joe', 'kim', 'leo', 'mia', 'noa', 'zoe'][n % 10]}.${n}@example.com`;
}

/** Returns the reads of dashboards and reports by name: each request asks for something else, as far as possible. */
export async function makeReads(db: Sql, profiles: number): Promise<Record<string, Read>> {
  const events = await sampleOf(db, 'event');
  const customers = await sampleOf(db, 'profile');
  const type = () => `type_${below(20)}`;
  const range = () => {
    const days = below(330);
    return `from=${daysAgo(days + 30)}&to=${daysAgo(days)}`;
  };
  const days = (count: number) => {
    const ago = below(330);
    return `from=${dayAgo(ago + count)}&to=${dayAgo(ago)}`;
  };
  /** Not the same again, as answers are kept for a minute. */
  const yearOf = (interval: string) => `interval=${interval}&from=${dayAgo(335 + below(30))}&to=${dayAgo(below(30))}`;
  const prefix = (text: string, shortest: number) => encodeURIComponent(text.slice(0, shortest + below(8)));
  return {
    listEvents: () => '/v1/events',
    'listEvents of a time': () => `/v1/events?${range()}`,
    'listEvents of a type': () => `/v1/events?event_type=${type()}`,
    'listEvents of a type and a time': () => `/v1/events?event_type=${type()}&${range()}`,
    'listEvents of a profile': () => `/v1/events?profile_id=${pick(customers)}`,
    'listEvents by a property': () => `/v1/events?property=order_id&property_value=ord_${below(500_000)}&${range()}`,
    'listEvents of a type by a property': () =>
      `/v1/events?event_type=${type()}&property=order_id&property_value=ord_${below(500_000)}`,
    'listEvents, 100 of them': () => `/v1/events?limit=100&${range()}`,
    getEvent: () => `/v1/events/${pick(events)}`,
    'getEventStats by the hour, a day': () => '/v1/events/stats?interval=hour',
    'getEventStats by the day, 30 days': () => '/v1/events/stats?interval=day',
    'getEventStats by the day, a year': () => `/v1/events/stats?interval=day&from=${daysAgo(364)}`,
    'getEventStats by the day, a year of Berlin': () =>
      `/v1/events/stats?interval=day&from=${daysAgo(364)}&time_zone=Europe/Berlin`,
    'getEventStats by the month, a year of Kolkata': () => '/v1/events/stats?interval=month&time_zone=Asia/Kolkata',
    'getEventStats of a type, a year': () => `/v1/events/stats?event_type=${type()}&interval=week&from=${daysAgo(364)}`,
    listOrders: () => '/v1/orders',
    'listOrders of a time': () => `/v1/orders?${range()}`,
    'listOrders of a profile': () => `/v1/orders?profile_id=${pick(customers)}`,
    'getRevenue by the day, 30 days': () => `/v1/reports/revenue?${days(30)}`,
    'getRevenue by the day, 30 days beside those before': () =>
      `/v1/reports/revenue?${days(30)}&compare=previous_period`,
    'getRevenue by the day, a year': () => `/v1/reports/revenue?${yearOf('day')}`,
    'getRevenue by the month, a year beside the year before': () =>
      `/v1/reports/revenue?${yearOf('month')}&compare=previous_year`,
    getCustomersReport: () => '/v1/reports/customers',
    'getCohorts, any months': () => `/v1/reports/cohorts?months=${1 + below(36)}&to=${dayAgo(below(330))}`,
    'listEventTypes, 30 days': () => `/v1/event-types?${days(30)}`,
    'getEventType, 30 days': () => `/v1/event-types/${type()}?${days(30)}`,
    listProfiles: () => '/v1/profiles',
    'listProfiles by e-mail address': () => `/v1/profiles?email=${email(below(profiles))}`,
    'listProfiles by the beginning of an e-mail address': () =>
      `/v1/profiles?email_prefix=${prefix(email(below(profiles)), 1)}`,
    'listProfiles by the beginning of a phone number': () =>
      `/v1/profiles?phone_prefix=${prefix(`+4915${String(below(profiles)).padStart(8, '0')}`, 3)}`,
    'listProfiles by the beginning of an external id': () =>
      `/v1/profiles?external_id_prefix=${prefix(`cust_${below(profiles)}`, 1)}`,
    'listProfiles by the beginning of a name': () => '/v1/profiles?name_prefix=love',
    getProfile: () => `/v1/profiles/${pick(customers)}`,
    listProfileEvents: () => `/v1/profiles/${pick(customers)}/events`,
    listRejections: () => '/v1/rejections?limit=100',
    listApiKeys: () => '/v1/api-keys?limit=100',
  };
}

/** Returns ids of events or profiles, any of them. */
export async function sampleOf(db: Sql, table: 'event' | 'profile'): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.id(table)} tablesample system (1) limit ${SAMPLE}`.execute(db);
  return rows.map(({ id }) => id);
}

export interface ReadResult {
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  slowest: number;
}

/**
 * Sends requests of a kind over several connections, one at a time on each, for a while. Rejects unless all succeed.
 */
export async function measureRead(
  { url, key }: { url: string; key: string },
  read: Read,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<ReadResult> {
  const headers = { Authorization: `Bearer ${key}` };
  const latencies: number[] = [];
  const ask = async () => {
    const path = read();
    const start = performance.now();
    const response = await fetch(url + path, { headers });
    const body = await response.text();
    latencies.push(performance.now() - start);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body}`);
  };
  const start = performance.now();
  const drive = async () => {
    while (performance.now() - start < seconds * 1000) await ask();
  };
  await Promise.all(Array.from({ length: connections }, drive));
  const elapsed = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { rate: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), slowest: latencies.at(-1) ?? Number.NaN };
}
