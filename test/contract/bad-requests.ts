import { eventDocument, eventJobDocument, profileDocument, profileJobDocument } from '../compat/documents.ts';
import type { Client, Response } from '../support/client.ts';
import { saveMessageSettings } from '../support/message-settings.ts';
import { until } from '../support/process.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import type { SurfaceName } from '../support/spec.ts';
import { USUAL_DRAFT } from '../support/templates.ts';

type BadRequest = (client: Client) => Promise<Response<unknown>>;

const ADA = { email: 'ada@example.com' };
const ORDER = { event_type: 'placed_order', profile: ADA };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const LARGE = JSON.stringify({ properties: 'x'.repeat(5 * 1024 * 1024) });

const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);
const posts = (path: string, body: unknown): BadRequest => {
  return (client) => client.post(path, body);
};
const sends = (path: string, text: string, headers = JSON_TYPE): BadRequest => {
  return (client) => client.send('POST', path, text, { headers });
};

/** Whatever the surface, of an operation that takes a body. */
const unreadable = (path: string): Record<string, BadRequest> => ({
  malformedJson: sends(path, '{"event_type": '),
  wrongContentType: sends(path, 'event_type=placed_order', { 'Content-Type': 'text/plain' }),
  tooLarge: sends(path, LARGE),
});

const event = (fields: object) => posts('/v1/events', { ...ORDER, ...fields });
const bulk = (events: object[]) => posts('/v1/events/bulk', { events });
const upsert = (body: object) => posts('/v1/profiles/upsert', body);
const key = (fields: object) => posts('/v1/api-keys', { name: 'Shop', scopes: ['events:write'], ...fields });
const gets = (path: string, headers = {}): BadRequest => {
  return (client) => client.get(path, { headers });
};
const STEPS = [{ event_type: 'viewed_product' }, { event_type: 'placed_order' }];
const funnel = (fields: object) => posts('/v1/reports/funnel', { steps: STEPS, ...fields });
const LONG_ID = 'x'.repeat(256);

const DRAFT = { name: 'Call back', trigger: { type: 'manual' }, start: 'end', steps: [{ id: 'end', type: 'exit' }] };
const automation = (fields: object) => posts('/v1/automations', { definition: { ...DRAFT, ...fields } });

/** Sends something to an automation that was just created with this draft. */
const ofAutomation =
  (method: string, path: string, body?: object, draft: object = {}): BadRequest =>
  async (client) => {
    const created = await client.post('/v1/automations', { definition: { ...DRAFT, ...draft } }, { expect: 201 });
    const text = body && JSON.stringify(body);
    return client.send(method, `/v1/automations/${created.body.id}${path}`, text, { headers: body ? JSON_TYPE : {} });
  };

/** Posts something to a pool of uploaded codes that was just created. */
const ofPool =
  (path: string, body: object): BadRequest =>
  async (client) => {
    const created = await client.post('/v1/coupon-pools', { name: 'Welcome', kind: 'uploaded' }, { expect: 201 });
    return client.post(`/v1/coupon-pools/${created.body.id}${path}`, body);
  };

/** Sends something to a feed that was just created, whose file is to be uploaded. */
const ofFeed =
  (method: string, path: string, body: object): BadRequest =>
  async (client) => {
    const created = await client.post('/v1/catalog/feeds', { name: 'Pots', source: 'file' }, { expect: 201 });
    return client.send(method, `/v1/catalog/feeds/${created.body.id}${path}`, JSON.stringify(body), {
      headers: JSON_TYPE,
    });
  };

/** Confirms the run of a feed whose file has nothing that could be wrong. */
const readFeed: BadRequest = async (client) => {
  const { body: feed } = await client.post('/v1/catalog/feeds', { name: 'Pots', source: 'file' }, { expect: 201 });
  const path = `/v1/catalog/feeds/${feed.id}`;
  await client.send('PUT', `${path}/parts/1`, '{"text":"id,title"}', { headers: JSON_TYPE, expect: 200 });
  await client.post(`${path}/run`, { part_count: 1 }, { expect: 200 });
  const runs = async () => (await client.get<any>(`${path}/runs`, { expect: 200 })).body.runs;
  await until(async () => (await runs()).length > 0, 'the feed is read');
  return client.post(`${path}/runs/${(await runs())[0].id}/confirm`, { decision: 'confirm' });
};

const archived: BadRequest = async (client) => {
  const { body } = await client.post('/v1/automations', { definition: DRAFT }, { expect: 201 });
  const set = (status: string) =>
    client.send('PUT', `/v1/automations/${body.id}/status`, JSON.stringify({ status }), { headers: JSON_TYPE });
  await set('archived');
  return set('paused');
};

const ofStranger: BadRequest = async (client) => {
  const { body } = await client.post('/v1/automations', { definition: DRAFT }, { expect: 201 });
  await client.post(`/v1/automations/${body.id}/publish`, { revision: 1 }, { expect: 200 });
  return client.post(`/v1/automations/${body.id}/runs`, { profile: { external_id: 'nobody' } });
};

const endpoint = (url: string) => posts('/v1/webhook-endpoints', { url, name: 'Mailer' });
const replay = (body: object) => posts(`/v1/webhook-endpoints/${UNKNOWN_ID}/replay`, body);

const RELAY = { host: 'smtp.relay.example', port: 587, security: 'starttls' };
const sender = (fields: object) =>
  posts('/v1/senders', { name: 'Relay', kind: 'smtp', from_email: 'hello@shop.example', settings: RELAY, ...fields });
const messageSettings =
  (fields: object): BadRequest =>
  (client) =>
    saveMessageSettings(client, fields);

const catalogItem = (fields: object) => posts('/v1/catalog/items/upsert', { id: 'TEA-2', title: 'Tea', ...fields });
const list = (body: object) => posts('/v1/lists', body);
const addMembers = (members: object[]) => posts(`/v1/lists/${UNKNOWN_ID}/members`, { members });

/** Sends something to an import that was just opened, and whose file is this. */
const ofImport =
  (method: string, path: string, body: object, text?: string): BadRequest =>
  async (client) => {
    const send = (to: string, sent: object, how = method) =>
      client.send<any>(how, to, JSON.stringify(sent), { headers: JSON_TYPE });
    const { body: opened } = await send('/v1/imports', {}, 'POST');
    if (text !== undefined) await send(`/v1/imports/${opened.id}/parts/1`, { text }, 'PUT');
    return send(`/v1/imports/${opened.id}${path}`, body);
  };
const MAPPING = [{ column: 'email', identifier: 'email' }];

const startedImport: BadRequest = async (client) => {
  const { body } = await client.post('/v1/imports', { mapping: MAPPING }, { expect: 201 });
  const put = () => client.send('PUT', `/v1/imports/${body.id}/parts/1`, '{"text":"email"}', { headers: JSON_TYPE });
  await put();
  await client.post(`/v1/imports/${body.id}/start`, {}, { expect: 202 });
  return put();
};
const DEFINITION = { event: { type: 'placed_order' } };
const BACKWARDS = {
  event: { type: 'placed_order', window: { from: '2026-12-01T00:00:00Z', to: '2026-11-01T00:00:00Z' } },
};
const segment = (definition: object) => posts('/v1/segments', { name: 'Buyers', definition });

/** Changes a segment that was just created. */
const ofSegment =
  (change: (id: string) => object): BadRequest =>
  async (client) => {
    const { body } = await client.post('/v1/segments', { name: 'Buyers', definition: DEFINITION }, { expect: 201 });
    const text = JSON.stringify({ name: 'Buyers', ...change(body.id) });
    return client.send('PUT', `/v1/segments/${body.id}`, text, { headers: JSON_TYPE });
  };

const consent =
  (email: object): BadRequest =>
  (client) =>
    client.send('PUT', `/v1/profiles/${UNKNOWN_ID}/consent`, JSON.stringify({ email }), { headers: JSON_TYPE });

const TEMPLATE = { name: 'Delivered', kind: 'html', subject: 'Your order', body: '<p>It is there.</p>' };
const template = (fields: object) => posts('/v1/templates', { ...TEMPLATE, ...fields });

/** Sends something to a template that was just created. */
const ofTemplate =
  (method: string, path: string, body: object, draft: object = {}): BadRequest =>
  async (client) => {
    const created = await client.post('/v1/templates', { ...TEMPLATE, ...draft }, { expect: 201 });
    return client.send(method, `/v1/templates/${created.body.id}${path}`, JSON.stringify(body), { headers: JSON_TYPE });
  };

const NATIVE: Record<string, Record<string, BadRequest>> = {
  upsertProfile: {
    missingIdentifier: upsert({ identifiers: {} }),
    takenIdentifier: async (client) => {
      await client.post('/v1/profiles/upsert', { identifiers: { external_id: 'cust_1001', ...ADA } }, { expect: 201 });
      await client.post('/v1/profiles/upsert', { identifiers: { external_id: 'cust_1002' } }, { expect: 201 });
      return client.post('/v1/profiles/upsert', { identifiers: { external_id: 'cust_1002', ...ADA } });
    },
    tooManyAttributes: upsert({
      identifiers: ADA,
      attributes: Object.fromEntries(times(401, 0).map((n, i) => [i, n])),
    }),
  },
  createEvent: {
    missingIdentifier: event({ profile: {} }),
    missingField: posts('/v1/events', { profile: ADA }),
    unknownField: event({ profle: ADA }),
    impossibleTime: event({ occurred_at: '2026-02-30T09:15:27Z' }),
    ...unreadable('/v1/events'),
  },
  createEventsBulk: {
    invalidEvent: bulk([ORDER, { ...ORDER, profile: { email: 'ada' } }]),
    tooManyEvents: bulk(times(1001, ORDER)),
    noEvents: bulk([]),
  },
  listEvents: {
    badParameter: gets('/v1/events?limit=101'),
    unknownParameter: gets('/v1/events?offset=100'),
    onlyProperty: gets('/v1/events?property=order_id'),
    badCursor: gets('/v1/events?cursor=x'),
  },
  getEventStats: {
    badInterval: gets('/v1/events/stats?interval=year'),
    emptyRange: gets('/v1/events/stats?from=2026-11-20T00:00:00Z&to=2026-11-19T00:00:00Z'),
    longRange: gets('/v1/events/stats?from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z'),
    badTimeZone: gets('/v1/events/stats?time_zone=Europe/London-Soho'),
  },
  exportProfile: {
    longId: gets(`/v1/profiles/${LONG_ID}/export`),
    unknownParameter: gets(`/v1/profiles/${UNKNOWN_ID}/export?fields=profile`),
  },
  streamEvents: {
    badPosition: gets('/v1/events/stream', { 'Last-Event-ID': 'x' }),
  },
  updateProfileConsent: {
    unknownStatus: consent({ status: 'never' }),
    future: consent({ status: 'subscribed', changed_at: '2999-01-01T00:00:00Z' }),
  },
  createApiKey: {
    unknownScope: key({ scopes: ['events:all'] }),
    publicAndSecret: key({ scopes: ['client:write', 'events:read'] }),
    pastExpiry: key({ expires_at: '2026-01-01T00:00:00Z' }),
  },
  createSegment: {
    unknownList: segment({ list: UNKNOWN_ID }),
    shortWindow: segment(BACKWARDS),
  },
  updateSegment: {
    stale: ofSegment(() => ({ revision: 7, definition: DEFINITION })),
    circle: ofSegment((id) => ({ revision: 1, definition: { segment: id } })),
  },
  deleteSegment: {
    longId: (client) => client.send('DELETE', `/v1/segments/${LONG_ID}`, undefined),
  },
  previewSegment: {
    shortWindow: posts('/v1/segments/preview', { definition: BACKWARDS }),
  },
  listEventTypes: {
    badDate: gets('/v1/event-types?from=2026-02-30'),
    manyDays: gets('/v1/event-types?from=2025-01-01&to=2026-06-30'),
  },
  getFunnel: {
    manyDays: funnel({ from: '2026-01-01', to: '2026-06-30' }),
    longWindow: funnel({ window: 'P31D' }),
  },
  getCohorts: {
    badDate: gets('/v1/reports/cohorts?to=2026-02-30'),
    manyMonths: gets('/v1/reports/cohorts?months=61'),
  },
  getEventType: {
    badDate: gets('/v1/event-types/placed_order?from=2026-02-30'),
    manyDays: gets('/v1/event-types/placed_order?from=2025-01-01&to=2026-06-30'),
  },
  getSegmentStats: {
    badDate: gets(`/v1/segments/${UNKNOWN_ID}/stats?from=2026-02-30`),
    manyDays: gets(`/v1/segments/${UNKNOWN_ID}/stats?from=2025-01-01&to=2026-06-30`),
  },
  createList: {
    blankName: list({ name: '  ' }),
    usedKey: async (client) => {
      await client.post('/v1/lists', { name: 'Newsletter', idempotency_key: 'newsletter-2026' }, { expect: 201 });
      return client.post('/v1/lists', { name: 'Fair', idempotency_key: 'newsletter-2026' });
    },
  },
  addListMembers: {
    malformedEmail: addMembers([{ email: 'ada' }]),
    tooMany: addMembers(times(1001, ADA)),
  },
  createCouponPool: {
    noName: posts('/v1/coupon-pools', { name: '  ', kind: 'uploaded' }),
    lowBelow: posts('/v1/coupon-pools', { name: 'Welcome', kind: 'uploaded', low_below: 0 }),
  },
  deleteCouponPool: {
    longId: (client) => client.send('DELETE', `/v1/coupon-pools/${LONG_ID}`, undefined),
  },
  addCouponCodes: {
    generate: ofPool('/codes', { generate: 2 }),
    tooMany: ofPool('/codes', { generate: 1001 }),
  },
  assignCoupon: {
    noProfile: ofPool('/assign', { profile_id: UNKNOWN_ID }),
    noCode: async (client) => {
      const { body } = await client.post('/v1/profiles/upsert', { identifiers: ADA });
      return ofPool('/assign', { profile_id: body.id })(client);
    },
  },
  markCouponCodes: {
    status: ofPool('/mark', { codes: [{ code: 'HELLO', status: 'free' }] }),
  },
  createImport: {
    noIdentifier: posts('/v1/imports', { mapping: [{ column: 'Name', attribute: 'name' }] }),
    unknownList: posts('/v1/imports', { list_ids: [UNKNOWN_ID] }),
  },
  putImportPart: {
    empty: ofImport('PUT', '/parts/1', { text: '' }),
    started: startedImport,
  },
  previewImport: {
    noSuchColumn: ofImport('POST', '/preview', { mapping: MAPPING }, 'name'),
    missingPart: ofImport('POST', '/preview', {}),
  },
  createWebhookEndpoint: {
    insecure: endpoint('http://hooks.shop.example/'),
    privateAddress: endpoint('https://2130706433/'),
    withPassword: endpoint('https://footfall:secret@hooks.shop.example/'),
  },
  createSender: {
    withName: sender({ from_email: 'Shop <hello@shop.example>' }),
    privateAddress: sender({ settings: { ...RELAY, host: '10.0.0.1' } }),
    otherPort: sender({ settings: { ...RELAY, port: 22 } }),
  },
  testSender: {
    twoAddresses: posts(`/v1/senders/${UNKNOWN_ID}/test`, { to: 'me@shop.example, you@shop.example' }),
  },
  updateSenderFeedback: {
    foreign: (client) =>
      client.send(
        'PUT',
        `/v1/senders/${UNKNOWN_ID}/feedback`,
        JSON.stringify({ provider: 'ses', key: 'arn:aws:s3:::a-bucket' }),
        { headers: JSON_TYPE },
      ),
  },
  updateMessageSettings: {
    months: messageSettings({ caps: { most: 3, within: 'P1M' } }),
  },
  replayWebhookDeliveries: {
    otherStatus: replay({ status: 'delivered' }),
    emptyRange: replay({ status: 'held', from: '2026-11-20T00:00:00Z', to: '2026-11-19T00:00:00Z' }),
  },
  mergeProfiles: {
    nobody: async (client) => {
      const { body } = await client.post('/v1/profiles/upsert', { identifiers: { external_id: 'c1' } });
      return await client.post(`/v1/profiles/${body.id}/merge`, { from: UNKNOWN_ID });
    },
  },
  createErasure: {
    nobodyNamed: posts('/v1/erasures', { events: 'delete' }),
    noId: posts('/v1/erasures', { profile_id: 'zz' }),
  },
  releaseIdentifiers: {
    noAddress: posts('/v1/suppressed-identifiers/remove', { identifiers: [{ email: 'ada' }] }),
  },
  upsertCatalogCategory: {
    cycle: async (client) => {
      const upsertOne = posts('/v1/catalog/categories/upsert', { id: 'tea', title: 'Tea', parent_id: 'tea' });
      await client.post('/v1/catalog/categories/upsert', { id: 'tea', title: 'Tea' });
      return await upsertOne(client);
    },
  },
  upsertCatalogItem: {
    priceAsText: catalogItem({ prices: { EUR: { price: '19,90' } } }),
    script: catalogItem({ url: 'javascript:alert(1)' }),
    strangeVariant: async (client) => {
      await client.post('/v1/catalog/items/upsert', { id: 'TEA-1', title: 'Tea', variants: [{ id: 'v' }] });
      return await catalogItem({ variants: [{ id: 'v' }] })(client);
    },
  },
  upsertCatalogItemsBulk: { noTitle: posts('/v1/catalog/items/bulk', { items: [{ id: 'new' }] }) },
  updateCatalogStock: { halfPiece: posts('/v1/catalog/stock', { updates: [{ item_id: 'a', stock: 0.5 }] }) },
  lookUpCatalogItems: { noIds: posts('/v1/catalog/items/lookup', { ids: [] }) },
  deleteCatalogItems: { noIds: posts('/v1/catalog/items/delete', { ids: [] }) },
  createCatalogSubscription: {
    unknownItem: async (client) => {
      await client.post('/v1/profiles/upsert', { identifiers: ADA });
      return await posts('/v1/catalog/subscriptions', { profile: ADA, item_id: 'none', kind: 'back_in_stock' })(client);
    },
    stranger: posts('/v1/catalog/subscriptions', {
      profile: { external_id: 'nobody' },
      item_id: 'TEA-1',
      kind: 'back_in_stock',
    }),
  },
  startCatalogSync: { unknownField: posts('/v1/catalog/syncs', { name: 'night' }) },
  createCatalogFeed: {
    privateUrl: posts('/v1/catalog/feeds', { name: 'Teas', url: 'https://10.0.0.1/feed' }),
    tooOften: posts('/v1/catalog/feeds', { name: 'Teas', url: 'https://shop.example/', every_minutes: 1 }),
  },
  previewCatalogFeed: {
    page: posts('/v1/catalog/feeds/preview', { text: '<html></html>' }),
    privateUrl: posts('/v1/catalog/feeds/preview', { url: 'https://10.0.0.1/feed' }),
  },
  putCatalogFeedPart: {
    empty: ofFeed('PUT', '/parts/1', { text: '' }),
    ofUrl: async (client) => {
      const feed = { name: 'Teas', url: 'https://shop.example/feed', is_paused: true };
      const { body } = await client.post('/v1/catalog/feeds', feed, { expect: 201 });
      return client.send('PUT', `/v1/catalog/feeds/${body.id}/parts/1`, '{"text":"id"}', { headers: JSON_TYPE });
    },
  },
  runCatalogFeed: {
    noParts: ofFeed('POST', '/run', { part_count: 1 }),
    howMany: ofFeed('POST', '/run', {}),
  },
  confirmCatalogFeedRun: { notWaiting: readFeed },
  suppressAddresses: {
    noAddress: posts('/v1/suppressed-addresses', { addresses: ['eve at example.com'] }),
  },
  createImage: {
    noImage: posts('/v1/images', { name: 'hello.png', data: 'aGVsbG8=' }),
    noBase64: posts('/v1/images', { name: 'hello.png', data: 'aGVsb' }),
  },
  createTemplate: {
    unknownKind: template({ kind: 'text' }),
    subjectOfSms: template({ kind: 'sms' }),
  },
  convertTemplate: {
    unknownSyntax: posts('/v1/templates/convert', { syntax: 'django', source: '' }),
  },
  updateTemplate: {
    staleRevision: ofTemplate('PUT', '', { ...USUAL_DRAFT, ...TEMPLATE, revision: 2 }),
    otherKind: ofTemplate('PUT', '', { ...USUAL_DRAFT, ...TEMPLATE, revision: 1, kind: 'mjml' }),
  },
  publishTemplate: {
    unknownSnippet: ofTemplate('POST', '/publish', { revision: 1 }, { body: `<p>{% snippet "${UNKNOWN_ID}" %}</p>` }),
  },
  renderTemplate: {
    unknownCustomer: ofTemplate('POST', '/render', { profile: { external_id: 'nobody' } }),
    unknownVersion: ofTemplate('POST', '/render', { version: 7 }),
  },
  createCampaign: {
    noAudience: posts('/v1/campaigns', { name: 'We have moved', channel: 'email', audience: { any: [] } }),
  },
  testTemplate: {
    noSender: ofTemplate('POST', '/test', { to: 'me@shop.example', sender_id: UNKNOWN_ID }, { class: 'transactional' }),
  },
  createAutomation: {
    unknownStep: automation({ steps: [{ id: 'push', type: 'send_push', next: null }] }),
    badOperator: automation({
      steps: [
        { id: 'vip', type: 'branch', cases: [{ when: { attribute: 'tier', op: 'is' }, next: null }], else: null },
      ],
    }),
    noCondition: automation({ entry_condition: { colour: 'red' } }),
    misspeltField: automation({ trigger: { type: 'event', event_type: 'placed_order', maxage: 'P1D' } }),
  },
  updateAutomation: {
    staleRevision: ofAutomation('PUT', '', { revision: 2, definition: DRAFT }),
  },
  deleteAutomation: {
    hasRun: async (client) => {
      const { body } = await client.post('/v1/automations', { definition: DRAFT }, { expect: 201 });
      await client.post(`/v1/automations/${body.id}/publish`, { revision: 1 }, { expect: 200 });
      return client.send('DELETE', `/v1/automations/${body.id}`, undefined);
    },
  },
  publishAutomation: {
    danglingStep: ofAutomation(
      'POST',
      '/publish',
      { revision: 1 },
      { start: 'day', steps: [{ id: 'day', type: 'delay', for: 'P1D', next: 'ask' }] },
    ),
  },
  setAutomationStatus: {
    noVersion: ofAutomation('PUT', '/status', { status: 'live' }),
    archived,
  },
  getAutomationStats: {
    badDate: ofAutomation('GET', '/stats?from=2026-02-30'),
    manyDays: ofAutomation('GET', '/stats?from=2025-01-01&to=2026-06-30'),
  },
  simulateAutomation: {
    unknownEvent: ofAutomation('POST', '/simulate', { event_id: UNKNOWN_ID }),
    nothingToSimulate: ofAutomation('POST', '/simulate', {}),
  },
  enrolProfile: {
    unknownProfile: ofStranger,
    notLive: ofAutomation('POST', '/runs', { profile: { external_id: 'nobody' } }),
  },
};

const COMPAT_EVENTS = '/compat/v1/events';
const METRIC = { metric: 'Placed Order' };
const compatEvent = (profile: object) => posts(COMPAT_EVENTS, eventDocument({ ...METRIC, profile: { ...profile } }));
const profile = (fields: object) => posts('/compat/v1/profiles', profileDocument({ ...fields }));
const eventJob = (groups: Parameters<typeof eventJobDocument>[0]) =>
  posts('/compat/v1/event-bulk-create-jobs', eventJobDocument(groups));
const profileJob = (profiles: Record<string, unknown>[]) =>
  posts('/compat/v1/profile-bulk-import-jobs', profileJobDocument(profiles));
const errorsOfJob =
  (query: string): BadRequest =>
  async (client) => {
    const { body } = await client.post('/compat/v1/event-bulk-create-jobs', eventJobDocument([]), { expect: 202 });
    return client.get(`/compat/v1/event-bulk-create-jobs/${body.data.id}/import-errors?${query}`);
  };

const COMPAT: Record<string, Record<string, BadRequest>> = {
  mergeCompatProfiles: {
    nobody: async (client) => {
      const { body } = await client.post('/v1/profiles/upsert', { identifiers: { external_id: 'c1' } });
      const relationships = { profiles: { data: [{ type: 'profile', id: UNKNOWN_ID }] } };
      return await client.post('/compat/v1/profile-merge', {
        data: { type: 'profile-merge', id: body.id, relationships },
      });
    },
  },
  createDataPrivacyDeletionJob: {
    nobodyNamed: posts('/compat/v1/data-privacy-deletion-jobs', {
      data: { type: 'data-privacy-deletion-job', attributes: {} },
    }),
  },
  listCompatLists: {
    badListFilter: gets('/compat/v1/lists?filter=greater-than(updated,2026-11-20T09:15:27Z)'),
  },
  createCompatEvent: {
    badEmail: compatEvent({ email: 'ada' }),
    noIdentifier: compatEvent({ first_name: 'Ada' }),
    onlyExchangeId: compatEvent({ _kx: 'abc' }),
    foreignId: compatEvent({ beside: { id: '01GDDKASAP8TKDDA2GRZDSVP4H' } }),
    noMetric: posts(COMPAT_EVENTS, {
      data: { type: 'event', attributes: { profile: { data: { type: 'profile', attributes: ADA } } } },
    }),
    ...unreadable(COMPAT_EVENTS),
  },
  createEventBulkCreateJob: {
    twoBadItems: eventJob([
      { profile: { email: 'ada' }, events: [METRIC] },
      { profile: ADA, events: [{ metric: { name: '' } }] },
    ]),
    tooManyEvents: eventJob(times(2, { profile: ADA, events: times(501, METRIC) })),
  },
  getEventBulkCreateJobErrors: {
    badParameter: errorsOfJob('page[size]=x'),
  },
  createCompatProfile: {
    badPhone: profile({ phone_number: 'unknown' }),
    noIdentifier: profile({ first_name: 'Ada' }),
    takenEmail: async (client) => {
      const create = (fields: object) => client.post('/compat/v1/profiles', profileDocument({ ...fields }));
      await create({ external_id: 'cust_1001', ...ADA });
      await create({ external_id: 'cust_1002' });
      return create({ external_id: 'cust_1002', ...ADA });
    },
  },
  createProfileSubscriptionJob: {
    badAddress: posts('/compat/v1/profile-subscription-bulk-create-jobs', {
      data: {
        type: 'profile-subscription-bulk-create-job',
        attributes: { profiles: { data: [{ type: 'profile', attributes: { email: 'ada' } }] } },
      },
    }),
  },
  createClientSubscription: {
    noNumber: posts('/compat/v1/client/subscriptions', {
      data: {
        type: 'subscription',
        attributes: {
          profile: {
            data: {
              type: 'profile',
              attributes: { ...ADA, subscriptions: { sms: { marketing: { consent: 'SUBSCRIBED' } } } },
            },
          },
        },
      },
    }),
  },
  createClientBackInStockSubscription: {
    nobody: posts('/compat/v1/client/back-in-stock-subscriptions', {
      data: {
        type: 'back-in-stock-subscription',
        attributes: { profile: { data: { type: 'profile', attributes: {} } } },
        relationships: { variant: { data: { type: 'catalog-variant', id: 'TEA-1-100' } } },
      },
    }),
  },
  listAccounts: {
    tooManyFields: gets(`/compat/v1/accounts?fields[account]=${'id,'.repeat(100)}id`),
  },
  listCompatEvents: {
    badEventFilter: gets(`${COMPAT_EVENTS}?filter=contains(metric_id,"placed")`),
    badCursor: gets(`${COMPAT_EVENTS}?page[cursor]=x`),
  },
  getCompatEvent: {
    longId: gets(`${COMPAT_EVENTS}/${LONG_ID}`),
  },
  listCompatProfiles: {
    badFilter: gets('/compat/v1/profiles?filter=contains(email,"ada")'),
  },
  listProfileBulkImportJobs: {
    badJobFilter: gets('/compat/v1/profile-bulk-import-jobs?filter=equals(created_at,2026-11-20)'),
  },
  updateCompatProfile: {
    otherId: (client) =>
      client.send(
        'PATCH',
        `/compat/v1/profiles/${UNKNOWN_ID}`,
        JSON.stringify(profileDocument({ beside: { id: UNKNOWN_ID.replace('0', 'f') } })),
        { headers: JSON_TYPE },
      ),
  },
  createProfileBulkImportJob: {
    twoBadItems: profileJob(times(9, ADA).map((one, i) => (i === 3 ? { email: 'ada' } : i === 8 ? {} : one))),
    tooManyProfiles: profileJob(times(10_001, ADA)),
  },
};

/** What is answered with each 400 that the specs show: by the first operation that shows it, and its name. */
export const BAD_REQUESTS: Record<SurfaceName, Record<string, Record<string, BadRequest>>> = {
  native: NATIVE,
  compat: COMPAT,
};
