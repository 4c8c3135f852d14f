import { expect } from 'chai';
import fc, { type Arbitrary } from 'fast-check';
import { TestService } from '../support/service.ts';
import { eventGroups, events, mutated, profileLists, profiles } from './arbitraries.ts';
import {
  type EventFields,
  eventDocument,
  eventJobDocument,
  type ProfileFields,
  profileDocument,
  profileJobDocument,
} from './documents.ts';
import { profileOf, recordEvent, runJob, saveProfile } from './steps.ts';

/** The tests try one in so many of the values of `npm run soak`. */
const PART = 8;

const TEXTS = ['first_name', 'last_name', 'organization', 'locale', 'title', 'image'];
const PLACES = ['address1', 'address2', 'city', 'country', 'region', 'zip', 'timezone', 'ip', 'latitude', 'longitude'];

const withoutNulls = (map: object) => Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));

/** Fails unless a new profile, as it is shown, is what was sent. */
function expectProfile(shown: any, sent: ProfileFields): void {
  const pick = (names: string[], from: any) => Object.fromEntries(names.map((name) => [name, from?.[name] ?? null]));
  expect(pick(TEXTS, shown)).to.deep.equal(pick(TEXTS, sent));
  expect(shown.location).to.deep.equal(pick(PLACES, sent.location));
  for (const kind of ['phone_number', 'external_id', 'anonymous_id']) {
    expect(shown[kind], kind).to.equal(sent[kind] ?? null);
  }
  if (sent.email) expect(shown.email).to.equal((sent.email as string).toLowerCase());
  const meta = (sent.meta ?? (sent.beside as any)?.meta) as { patch_properties?: object } | undefined;
  if (!meta?.patch_properties) expect(shown.properties).to.deep.equal(withoutNulls((sent.properties ?? {}) as object));
}

/** Fails unless an event, as it is shown, is what was sent. */
function expectEvent(shown: any, sent: EventFields): void {
  const metric = typeof sent.metric === 'string' ? { name: sent.metric } : sent.metric;
  expect(shown.metric.data.attributes).to.deep.equal({ service: null, ...metric });
  expect(shown.properties).to.deep.equal(sent.properties);
  for (const name of ['value', 'value_currency', 'unique_id']) expect(shown[name], name).to.equal(sent[name] ?? null);
  expect(shown.backfill).to.equal(sent.backfill ?? false);
  if (sent.time) expect(Date.parse(shown.time)).to.equal(Date.parse(sent.time as string));
}

/** The properties of an event, given as the response to its creation shows it, as readers get them. */
function readProperties({ properties, value, value_currency, unique_id, time }: any): object {
  const second = String(Math.floor(Date.parse(time) / 1000));
  return {
    ...properties,
    ...(value !== null && { $value: value }),
    ...(value_currency !== null && { $currency_code: value_currency }),
    $event_id: unique_id ?? properties.$event_id ?? second,
  };
}

/** Whether a pointer leads to a part of a document, or to one that is missing where it belongs. */
function leadsInto(document: unknown, pointer: string): boolean {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const parent = steps.slice(0, -1).reduce<any>((value, step) => value?.[step], document);
  return typeof parent === 'object' && parent !== null;
}

describe("Every document allowed by the third party's schemas", () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  /**
   * Holds for every value; each has a store of its own. A failure names the seed. `npm run soak` tries so many values, which
   * are others each time; the tests a part of them, always the same.
   */
  function forEvery<Value>(
    values: Arbitrary<Value>,
    numRuns: number,
    holds: (value: Value, client: Awaited<ReturnType<TestService['client']>>) => Promise<void>,
  ) {
    return fc.assert(
      fc.asyncProperty(values, async (value) => holds(value, await service.client())),
      process.env.SOAK_ROUNDS ? { numRuns } : { numRuns: Math.ceil(numRuns / PART), seed: 1 },
    );
  }

  it('is accepted as a profile, and returned as it was sent', () =>
    forEvery(profiles('within'), 150, async (sent, client) => {
      expectProfile((await saveProfile(client, sent)).attributes, sent);
    }));

  it('is accepted as an event, and returned as it was sent, with its profile', () =>
    forEvery(events, 150, async (sent, client) => {
      const event = await recordEvent(client, sent);
      expectEvent(event.attributes, sent);
      // What comes back of a repeat was read from the database.
      if (sent.unique_id) expect(await recordEvent(client, sent)).to.deep.equal(event);
      const { body } = await client.get(`/compat/v1/events/${event.id}`, { expect: 200 });
      expect(body.data.attributes.event_properties).to.deep.equal(readProperties(event.attributes));
      expectProfile((await profileOf(client, event)).attributes, sent.profile ?? {});
    }));

  it('is accepted as an import, and every profile is returned as it was sent', () =>
    forEvery(profileLists, 60, async (sent, client) => {
      const job = await runJob(client, profileJobDocument(sent));
      expect(job.attributes).to.include({ completed_count: sent.length, failed_count: 0 });
      for (const profile of sent) {
        const { email, phone_number, external_id, anonymous_id } = profile;
        const shown = await saveProfile(client, { email, phone_number, external_id, anonymous_id });
        expectProfile(shown.attributes, profile);
      }
    }));

  it('is accepted as a bulk request of events, and every event is recorded', () =>
    forEvery(eventGroups, 60, async (sent, client) => {
      const job = await runJob(client, eventJobDocument(sent));
      const total = sent.flatMap((group) => group.events).length;
      expect(job.attributes).to.include({ total_count: total, completed_count: total, failed_count: 0 });
      for (const { profile, events, backfill } of sent) {
        const [event] = events.filter(({ unique_id }) => unique_id);
        if (!event) continue;
        const repeat = await recordEvent(client, { ...event, profile: { ...profile, beside: {} } });
        expectEvent(repeat.attributes, { ...event, backfill: event.backfill ?? backfill });
      }
    }));

  const DOCUMENTS: [path: string, documents: Arbitrary<object>][] = [
    ['events', events.map(eventDocument)],
    ['profiles', profiles('within').map(profileDocument)],
    ['event-bulk-create-jobs', eventGroups.map(eventJobDocument)],
    ['profile-bulk-import-jobs', profileLists.map((list) => profileJobDocument(list))],
  ];
  for (const [path, documents] of DOCUMENTS) {
    it(`is refused by /${path} with pointers to what is wrong after it was made invalid`, () =>
      forEvery(mutated(documents), 200, async (document, client) => {
        const { status, body } = await client.post(`/compat/v1/${path}`, document);
        expect(status).to.be.oneOf([201, 202, 400]);
        if (status !== 400) return;
        for (const { code, source } of body.errors) {
          expect(code).to.equal('validation_error');
          expect(leadsInto(document, source.pointer), source.pointer).to.equal(true);
        }
      }));
  }
});
