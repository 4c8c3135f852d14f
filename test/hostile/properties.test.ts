import { expect } from 'chai';
import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from 'openapi-backend';
import { malformedParts } from '../../src/domain/automations/core/check/check-definition.ts';
import { withCanonicalTypes } from '../../src/domain/automations/core/definition/canonical-types.ts';
import { withTodaysConditions } from '../../src/domain/automations/core/definition/conditions-of.ts';
import { canonicalName } from '../../src/domain/canonical/text.ts';
import { canonicalIdentifiers } from '../../src/domain/identifiers.ts';
import { fieldOf } from '../../src/domain/service-error.ts';
import {
  backInStockSubscriptions,
  consents,
  eventGroups,
  events,
  profileLists,
  profiles,
  subscriptions,
} from '../compat/arbitraries.ts';
import {
  type EventGroup,
  eventDocument,
  eventJobDocument,
  profileDocument,
  profileJobDocument,
} from '../compat/documents.ts';
import { Random, randomDefinition } from '../segments/support/random.ts';
import { Client } from '../support/client.ts';
import { DOT, pngOf } from '../support/images.ts';
import { BY_OWNER } from '../support/people.ts';
import { SOAK_ROUNDS } from '../support/sample.ts';
import { allOperations, hasPathId, perform, prepareFor, SENT_EVENT, SENT_TEMPLATE } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { readRows } from '../support/stored.ts';
import { checkResponse } from './judge.ts';
import { documentsOf, type InvalidVariant, invalidVariantsOf, requestSchema, type Schema } from './schema.ts';

/** How many requests of each kind are drawn; the same ones in every run but those of `npm run soak`. */
/** To make a document small that fails takes half an hour, which a soak has. */
const runs = (usual: number) =>
  SOAK_ROUNDS > 0 ? { numRuns: 5 * usual * SOAK_ROUNDS } : { numRuns: usual, seed: 1, endOnFailure: true };

const operations = (await allOperations()).filter((operation) => operation.requestBody && !hasPathId(operation));
/** The schema of what an operation of the native surface takes. */
const schemaOf = (id: string) => requestSchema(operations.find(({ operationId }) => operationId === id) as Operation);

/** Definitions of segments that the service evaluates. */
const definitions = fc.integer().map((seed) => randomDefinition(new Random(seed), { lists: [], segments: [] }));

/** Valid requests that a schema alone does not tell: which fields go together. */
const DOCUMENTS: Record<string, Arbitrary<unknown>> = {
  createCompatEvent: events.map(eventDocument),
  createCompatProfile: profiles('within').map(profileDocument),
  createOrUpdateCompatProfile: profiles('within').map(profileDocument),
  createEventBulkCreateJob: eventGroups.map(eventJobDocument),
  createProfileBulkImportJob: profileLists.map((list) => profileJobDocument(list)),
  createClientEvent: events.map(eventDocument),
  // Small ones: too many of them must not be too large as well.
  createClientEvents: eventGroups
    .filter(([group]) => group !== undefined)
    .map(([group]) => {
      const { profile, events: own } = group as EventGroup;
      const small = { profile, events: own.map((event) => ({ ...event, properties: {} })) };
      const [data] = eventJobDocument([small]).data.attributes['events-bulk-create'].data;
      return { data };
    }),
  createClientProfile: profiles('within').map(profileDocument),
  createClientSubscription: subscriptions,
  createClientBackInStockSubscription: backInStockSubscriptions,
  createProfileSubscriptionJob: consents('profile-subscription-bulk-create-job', 'SUBSCRIBED'),
  createSegment: fc.record({ name: fc.constantFrom('Buyers', 'Käufer'), definition: definitions }),
  previewSegment: fc.record({ definition: definitions }),
  getFunnel: fc.record(
    {
      steps: fc.array(
        fc.record(
          {
            event_type: fc.constantFrom('viewed_product', 'Käufe', 'placed_order'),
            where: fc.constantFrom(
              { property: 'value', op: 'gte', value: 20 },
              { not: { property: 'note', op: 'contains', value: 'Größe' } },
            ),
            from_client: fc.boolean(),
          },
          { requiredKeys: ['event_type'] },
        ),
        { minLength: 2, maxLength: 6 },
      ),
      window: fc.constantFrom('PT1S', 'P7D', 'P30D'),
      from: fc.constant('2026-03-01'),
      to: fc.constant('2026-03-31'),
      breakdown: fc.constantFrom('device', 'Größe'),
    },
    { requiredKeys: ['steps', 'from', 'to'] },
  ),
  createImport: fc.record(
    {
      name: fc.constantFrom('customers.csv', 'Kunden'),
      delimiter: fc.constantFrom(',', ';'),
      mapping: fc.constantFrom(
        [{ column: 'email', identifier: 'email' }],
        [
          { column: 'Id', identifier: 'external_id' },
          { column: 'Plan', attribute: 'plan' },
        ],
      ),
    },
    { requiredKeys: [] },
  ),
  // The template is one of the store, published.
  createList: documentsOf(schemaOf('createList')).map((list: any) => ({ ...list, confirmation_template_id: null })),
  createCouponPool: documentsOf(schemaOf('createCouponPool')).map(ofItsKind),
  createCatalogFeed: documentsOf(schemaOf('createCatalogFeed')).map(
    ({ url: _, every_minutes = 60, is_paused: __, ...feed }: any) =>
      feed.source === 'file' ? feed : { ...feed, every_minutes, url: 'https://shop.example/feed', is_paused: true },
  ),
  // The file is here, as nobody waits for the servers that were made up.
  previewCatalogFeed: documentsOf(schemaOf('previewCatalogFeed')).map(({ url: _, text: __, ...asked }: any) => ({
    ...asked,
    format: 'csv',
    text: 'id,title\nPOT-1,Clay pot\n',
  })),
  createErasure: documentsOf(schemaOf('createErasure')).map(ofOnePerson),
  // What there is, as other properties are for other kinds.
  createCatalogSubscription: documentsOf(schemaOf('createCatalogSubscription')).map(({ kind }: any) => ({
    profile: { email: 'ada@example.com' },
    item_id: 'TEA-1',
    kind,
  })),
  upsertCatalogCategory: documentsOf(schemaOf('upsertCatalogCategory')).map((category: any) => ({
    title: 'Tea',
    ...category,
    ...(category.parent_id && { parent_id: null }),
  })),
  upsertCatalogItem: documentsOf(schemaOf('upsertCatalogItem')).map((item) => newItem(item)),
  upsertCatalogItemsBulk: documentsOf(schemaOf('upsertCatalogItemsBulk')).map(
    // The load is one of the store.
    ({ sync_id: _, items, ...batch }: any) => ({ ...batch, items: withOwnIds(items.slice(0, 2).map(newItem)) }),
  ),
  updateCatalogStock: documentsOf(schemaOf('updateCatalogStock')).map(({ updates, ...document }: any) => ({
    ...document,
    updates: updates.map(ofItemOrVariant),
  })),
  createTemplate: documentsOf(schemaOf('createTemplate')).map(ofOneKind),
  createImage: fc
    .record({
      name: documentsOf(schemaOf('createImage').properties?.name as Schema),
      data: fc.constantFrom(DOT, pngOf(2, 1), pngOf(2, 1, 5_000)),
    })
    .map(({ name, data }) => ({ name, data: data.toString('base64') })),
  createSender: documentsOf(schemaOf('createSender')).map((sender: any) => ({
    ...sender,
    ...RELAY,
    ...(sender.from_name !== undefined && { from_name: trimmed(sender.from_name) }),
    ...(sender.dkim_signing && { dkim_selector: sender.dkim_selector ?? 's1' }),
    ...(sender.warm_up && { warm_up: { first_per_day: 50, target_per_day: 100 } }),
    // More is for operators to permit.
    ...(sender.max_per_second && { max_per_second: Math.min(sender.max_per_second, 500) }),
  })),
  updateNotificationSettings: fc.constant({ sender_id: null, endpoint_id: null }),
  updateMessageSettings: documentsOf(schemaOf('updateMessageSettings')).map((settings: any) => ({
    ...settings,
    default_sender_id: null,
    default_sms_sender_id: null,
    caps: settings.caps && { ...settings.caps, within: 'P7D' },
    smart_sending: settings.smart_sending && 'PT16H',
    attribution: {
      ...{ conversion_types: ['placed_order'], refund_types: [], click_window: 'P5D' },
      open_window: settings.attribution.open_window && 'P1D',
    },
    postal_address: trimmed(settings.postal_address),
  })),
  createCampaign: documentsOf(schemaOf('createCampaign')).map((campaign: any) => ({
    ...campaign,
    template_id: null,
    sender_id: null,
    audience: null,
    timing: null,
    test: null,
    subject: null,
    coupon_pool_id: null,
  })),
  sendMessage: fc.record(
    {
      template_id: fc.constant(SENT_TEMPLATE),
      profile: fc.constant({ email: 'ada@example.com' }),
      event_id: fc.constant(SENT_EVENT),
      data: fc.dictionary(fc.constantFrom('code', 'Käufer'), fc.constantFrom('SPRING10', 7, null, ['x'])),
      send_at: fc.constantFrom('2035-01-01T08:00:00Z', '2030-02-28T23:59:59.999+14:00'),
      idempotency_key: fc.uuid(),
    },
    { requiredKeys: ['template_id', 'profile'] },
  ),
  updateStore: fc.record(
    {
      display_name: fc.constantFrom('Café Löwe', '  Tea  ', null),
      time_zone: fc.constantFrom('Europe/Berlin', 'UTC', null),
      currency: fc.constantFrom('EUR', 'JPY', null),
      country: fc.constantFrom('GB', 'DE', null),
      website_url: fc.constantFrom('https://cafe-loewe.example', 'http://löwe.example/shop?a=1', null),
      postal_address: fc.constantFrom('1 Main Street\nLondon', null),
    },
    { requiredKeys: ['country'] },
  ),
  createProfileUnsubscriptionJob: consents('profile-subscription-bulk-delete-job', 'UNSUBSCRIBED'),
};

/** A text as it is kept of those whose blank ends are left out. */
const trimmed = (text: string | null) => text?.trim() || null;

/** A relay as none is reached: a sender is created before it is looked at. */
const RELAY = {
  kind: 'smtp',
  from_email: 'hello@shop.example',
  reply_to: 'help@shop.example',
  settings: { host: 'smtp.relay.example', port: 587, security: 'starttls', user: 'shop', password: 'a password' },
};

/** The body of a template is of its kind, and only messages have a subject; layouts, and what is required, are tried elsewhere. */
function ofOneKind(document: any): unknown {
  const { layout_id: _, translations: __, required: ___, subject, preheader, text, ...template } = document;
  const isText = typeof template.body === 'string';
  if (isText && template.kind === 'blocks') template.kind = 'html';
  if (!isText) Object.assign(template, { kind: 'blocks', use: 'message' });
  if (template.locale) template.locale = 'de';
  if ((template.use ?? 'message') !== 'message' || template.kind === 'sms') return template;
  return JSON.parse(JSON.stringify({ ...template, subject, preheader, text: text?.slice(0, 1_000) }));
}

/** Only codes that are drawn have a pattern, which leaves enough to chance. */
function ofItsKind({ pattern: _, ...pool }: any): unknown {
  return pool.kind === 'generated' ? { ...pool, pattern: 'HELLO-####-####' } : pool;
}

/** Who is erased is told in one way. */
function ofOnePerson({ profile_id: _, phone: __, external_id: ___, ...document }: any): unknown {
  return { ...document, email: 'trudy@example.com' };
}

/** A new item has a title, is in categories that there are, and its variants are its own. */
function newItem({ categories, variants, ...item }: any, place = 0): any {
  return {
    title: 'Tea',
    ...item,
    ...(categories && { categories: ['tea'] }),
    ...(variants && { variants: withOwnIds(variants, `${place}`) }),
  };
}

/** Each with an id that no other has. */
function withOwnIds(list: { id: string }[], owner = ''): unknown[] {
  return list.map((one, place) => ({ ...one, id: `${owner}-${place}` }));
}

/** What there is, is told of an item or of a variant, and is so already. */
function ofItemOrVariant({ variant_id, item_id = 'TEA-1', at, ...update }: any): unknown {
  const named = variant_id === undefined ? { item_id } : { variant_id };
  return { ...update, ...named, ...(at && { at: '2026-01-20T10:02:30+01:00' }) };
}

/** What a schema for requests leaves to the domain is put right: values that go with their operator, durations, times of day. */
function wellFormed(given: unknown): unknown {
  const document = structuredClone(given) as any;
  document.definition = withTodaysConditions(document.definition);
  for (const { path, problem } of malformedParts(document.definition)) {
    const parent = path.slice(0, -1).reduce((part: any, name) => part[name], document.definition);
    const name = path.at(-1) as string;
    if (problem.includes('00:00')) parent[name] = '09:30';
    else if (['ignore_case', 'currency'].includes(name)) delete parent[name];
    else if (path.at(-2) === 'share') Object.assign(parent, { from: 0, to: 10 });
    else if (name === 'date') parent[name] = '2027-02-28';
    else if (!['op', 'value'].includes(name)) parent[name] = 'P1D';
    else {
      parent.op = 'exists';
      for (const one of ['value', 'value_of', 'ignore_case']) delete parent[one];
    }
  }
  return document;
}

/** A public key has no other scope. */
const isKeyOfOneKind = (document: unknown) => {
  const { scopes } = document as { scopes: string[] };
  return scopes.length === 1 || !scopes.includes('client:write');
};
/** Nobody but an owner invites one. */
const isOfNoOwner = (document: unknown) => (document as { role: string }).role !== 'owner';
/** Of texts that are all as long as they may be, few make up a definition. */
const isSmall = (document: unknown) => Buffer.byteLength(JSON.stringify(document)) <= 64 * 1024;
const documents = ({ operationId = '', ...operation }: Operation) => {
  const all = DOCUMENTS[operationId] ?? documentsOf(requestSchema(operation as Operation));
  if (operationId === 'createAutomation') return all.map(wellFormed).filter(isSmall);
  if (operationId === 'createInvitation') return all.filter(isOfNoOwner);
  return operationId === 'createApiKey' ? all.filter(isKeyOfOneKind) : all;
};

const withoutNulls = (map: object) => Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));
const instant = (time: string | null | undefined) => (time ? Date.parse(time) : null);

/** Reads back what an operation of the native surface has created, and holds it against what was sent. */
const READ_BACK: Record<string, (client: Client, sent: any, answer: any) => Promise<void>> = {
  createEvent: async (client, sent, { id }) => expectEvent(client, id, sent),
  createEventsBulk: async (client, sent, answer) => {
    const firsts = new Map<string, number>();
    for (const [i, { idempotency_key: key }] of sent.events.entries()) if (key && !firsts.has(key)) firsts.set(key, i);
    for (const [i, event] of sent.events.entries()) {
      // Of events with one key the first is recorded.
      const original = firsts.get(event.idempotency_key) ?? i;
      await expectEvent(client, answer.events[i].id, sent.events[original]);
    }
  },
  upsertProfile: async (client, sent, { id }) => {
    const { body } = await client.get(`/v1/profiles/${id}`, { expect: 200 });
    expectIdentifiers(body.identifiers, sent.identifiers);
    expect(body.attributes).to.deep.equal(withoutNulls(sent.attributes ?? {}));
  },
  createAutomation: async (client, sent, { id }) => {
    const { body } = await client.get(`/v1/automations/${id}`, { expect: 200 });
    expect(JSON.stringify(body.draft)).to.equal(
      JSON.stringify(withCanonicalTypes(withTodaysConditions(sent.definition))),
    );
    const { status } = await client.post(`/v1/automations/${id}/publish`, { revision: 1 });
    expect(status).to.equal(body.problems.length > 0 ? 400 : 200);
  },
  createWebhookEndpoint: async (client, { idempotency_key: _, secret_headers = [], ...sent }, { endpoint: { id } }) => {
    const { body } = await client.get(`/v1/webhook-endpoints/${id}`, { expect: 200 });
    expect(body).to.include({ ...sent, url: new URL(sent.url).href });
    expect(body.secret_headers).to.deep.equal(secret_headers.map(({ name }: { name: string }) => ({ name })));
  },
  createTemplate: async (client, { idempotency_key: _, ...sent }, { id }) => {
    const { body } = await client.get(`/v1/templates/${id}`, { expect: 200 });
    expect(body.draft).to.deep.include(sent);
  },
  createCouponPool: async (client, { idempotency_key: _, expires_at, ...sent }, { id }) => {
    const { body } = await client.get(`/v1/coupon-pools/${id}`, { expect: 200 });
    expect(body).to.include(sent);
    expect(instant(body.expires_at)).to.equal(instant(expires_at));
  },
  createCatalogFeed: async (client, { idempotency_key: _, url, ...sent }, { id }) => {
    const { body } = await client.get(`/v1/catalog/feeds/${id}`, { expect: 200 });
    expect(body).to.include(sent);
    expect(body.url_origin).to.equal(url ? new URL(url).origin : null);
  },
  createImage: async (client, sent, { id, url }) => {
    const { body } = await client.get('/v1/images', { expect: 200 });
    expect(body.images).to.have.length(1);
    expect(body.images[0]).to.include({ id, name: sent.name });
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(bytes.toString('base64')).to.equal(sent.data);
  },
  createSender: async (client, { idempotency_key: _, kind, settings, warm_up, ...sent }, { id }) => {
    const { password, ...server } = settings;
    const { body } = await client.get(`/v1/senders/${id}`, { expect: 200 });
    expect(body).to.deep.include(sent);
    expect(body.settings).to.deep.include({ ...server, shared: false, password_set: true, endpoint_id: null });
    if (warm_up) expect(body.warm_up).to.include(warm_up);
  },
  updateNotificationSettings: async (client, sent) => {
    const { body } = await client.get('/v1/notification-settings', { expect: 200 });
    expect(body).to.deep.include(sent);
  },
  updateMessageSettings: async (client, sent) => {
    const { body } = await client.get('/v1/message-settings', { expect: 200 });
    expect(body).to.deep.include(sent);
  },
  createCampaign: async (client, { idempotency_key: _, ...sent }, { id }) => {
    const { body } = await client.get(`/v1/campaigns/${id}`, { expect: 200 });
    expect(body).to.include(sent);
  },
  sendMessage: async (client, sent, { id }) => {
    const { body } = await client.get(`/v1/messages/${id}`, { expect: 200 });
    if (sent.send_at) expect(instant(body.due_at)).to.equal(instant(sent.send_at));
  },
  createApiKey: async (client, sent, { api_key: { id } }) => {
    const { body } = await client.get('/v1/api-keys', { expect: 200 });
    const created = body.api_keys.find((key: { id: string }) => key.id === id);
    expect(created.name).to.equal(sent.name);
    expect(created.scopes).to.have.members(sent.scopes);
    expect(instant(created.expires_at)).to.equal(instant(sent.expires_at));
  },
};

async function expectEvent(client: Client, id: string, sent: any): Promise<void> {
  const { body } = await client.get(`/v1/events/${id}`, { expect: 200 });
  expect(body.event_type).to.equal(canonicalName(sent.event_type));
  expect(body.properties).to.deep.equal(sent.properties ?? {});
  expect(body.idempotency_key).to.equal(sent.idempotency_key ?? null);
  if (sent.occurred_at) expect(instant(body.occurred_at)).to.equal(instant(sent.occurred_at));
}

function expectIdentifiers(shown: object, { email, phone, external_id = null, source_id }: any): void {
  const read = canonicalIdentifiers({ email, phone }, null);
  expect(shown).to.deep.equal({
    email: read.spellings?.email?.shown ?? read.email ?? null,
    phone: read.phone ?? null,
    external_id,
    ...(source_id !== undefined && { source_id }),
  });
}

// Generated from the specs, for every operation that takes a body, now and later.
describe('For every request allowed by the specs', function () {
  if (SOAK_ROUNDS > 0) this.timeout(120_000 * SOAK_ROUNDS);
  let service: TestService;

  before(async () => {
    service = await TestService.startInThread({
      RATE_LIMIT_TIERS: 'standard=100000,partner=100000',
      COMPAT_LISTS: 'true',
    });
  });
  after(() => service.stop());

  /**
   * What a store holds, but for when its key was last used, what it was refused, the keys of its pages, and how many
   * events there are, which is added up meanwhile.
   */
  async function contents(storeId: string): Promise<unknown[]> {
    const rows = await readRows(service.database, storeId);
    return rows
      .filter(({ table, row }) => table !== 'rejection' && row.kind !== 'rejection' && !row.public_key)
      .filter(({ table }) => !table.startsWith('event_count') && table !== 'event_day')
      .map(({ table, row }) => ({ table, ...row, last_used_at: null }));
  }

  for (const operation of operations) {
    const id = operation.operationId as string;
    const isCompat = operation.path.startsWith('/compat');
    const send = (client: Client, document: unknown, prepared: (body: string) => string) =>
      checkResponse(JSON.stringify(document).slice(0, 300), () =>
        perform(client, operation, operation.path, JSON.parse(prepared(JSON.stringify(document)))),
      );

    // On the compatibility surface the tests of the third party's schemas say so. A key is refused what owners do who are signed in.
    if (!isCompat && !BY_OWNER.has(id)) {
      it(`${id} accepts it, and returns it as it was sent`, () =>
        fc.assert(
          fc.asyncProperty(documents(operation), async (document) => {
            const client = await service.client();
            const { status, body } = await send(client, document, await prepareFor(operation, client));
            expect(status, JSON.stringify(body)).to.be.oneOf([200, 201, 202]);
            await READ_BACK[id]?.(client, document, body);
          }),
          runs(8),
        ));
    }

    it(`${id} refuses it after one place was made invalid, and names that place`, async () => {
      const { key, storeId } = await service.newKey();
      const client = new Client(service.url, key);
      const prepared = await prepareFor(operation, client);
      const before = await contents(storeId);
      const spoilt = fc
        .tuple(documents(operation), fc.nat())
        .map(([document, choice]) => {
          const ways = invalidVariantsOf(requestSchema(operation), document);
          return ways[choice % ways.length] as InvalidVariant;
        })
        // A definition that has become too large is refused as a whole.
        .filter(({ document }) => id !== 'createAutomation' || isSmall(document));
      await fc.assert(
        fc.asyncProperty(spoilt, async ({ how, place, document }) => {
          // Whether invalid events are skipped is another matter.
          if (document?.on_invalid === 'skip') delete document.on_invalid;
          const { status, body } = await send(client, document, prepared);
          expect(status, how).to.equal(400);
          if (!isCompat) expect(body.error.field, how).to.equal(fieldOf(place));
          else expect(pointers(body), how).to.include(`/${place.join('/') || 'data'}`);
        }),
        runs(12),
      );
      expect(await contents(storeId)).to.have.deep.members(before);
    });
  }
});

function pointers({ errors }: any): string[] {
  return errors.map(({ source }: { source: { pointer: string } }) => source.pointer);
}
