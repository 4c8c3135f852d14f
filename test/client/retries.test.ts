import { expect } from 'chai';
import { routes } from '../../generated/native/routes.gen.ts';
import { createClient, type EventInput, FootfallError, type Options } from '../../src/client/index.ts';
import { UnreliableProxy } from '../support/mishaps.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const EVENT: EventInput = { event_type: 'placed_order', profile: { email: 'ada@example.com' } };

/** The service's refusal of a request, with its body. */
function refusal(status: number, code: string, headers: Record<string, string> = {}) {
  return { status, headers, body: { error: { code, message: 'Not now', field: null, request_id: 'r-1' } } };
}

describe('Retries of the client', () => {
  let service: TestService;
  let proxy: UnreliableProxy;
  let key: string;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
    proxy = await UnreliableProxy.start(service.url);
  });

  after(async () => {
    await proxy.stop();
    await service.stop();
  });

  beforeEach(async () => {
    ({ key, storeId } = await service.newKey());
    proxy.expect();
  });

  const client = (options: Partial<Options> = {}) => createClient({ baseUrl: proxy.url, apiKey: key, ...options });

  /** Answers nothing to so many requests; those after them have all the time that they need, however slow the machine. */
  function silences(count: number) {
    let sent = 0;
    const silent: typeof fetch = (url, init) => {
      sent += 1;
      if (sent > count) return fetch(url, { ...init, signal: null });
      return new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    };
    return { fetch: silent, sent: () => sent };
  }

  async function recordedEvents(): Promise<number> {
    const rows = await service.database.query(`select 1 from event where store_id = '${storeId}'`);
    return rows.length;
  }

  async function failureOf(call: Promise<unknown>): Promise<FootfallError> {
    const error = await call.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(error).to.be.instanceOf(FootfallError);
    return error as FootfallError;
  }

  it('waits for the seconds of Retry-After before a retry', async () => {
    proxy.expect(refusal(429, 'rate_limit_exceeded', { 'Retry-After': '1' }));
    const event = await client().createEvent(EVENT);
    expect(event.event_type).to.equal('placed_order');
    const [first, second] = proxy.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).to.be.at.least(1000);
  });

  for (const mishap of ['lose', 'drop', 'cut'] as const) {
    it(`records an event once if its connection fails (${mishap})`, async () => {
      proxy.expect(mishap, mishap);
      const event = await client().createEvent(EVENT);
      expect(proxy.requests).to.have.length(3);
      expect(await recordedEvents()).to.equal(1);
      expect(new Set(proxy.requests.map(({ body }) => body.idempotency_key))).to.deep.equal(
        new Set([event.idempotency_key]),
      );
    });
  }

  it('records each event of a batch once if a response is lost', async () => {
    proxy.expect('drop');
    const result = await client().createEventsBulk({ events: [EVENT, EVENT, { ...EVENT, idempotency_key: 'mine' }] });
    expect(result).to.include({ created: 0, duplicates: 3, rejected: 0 });
    expect(await recordedEvents()).to.equal(3);
    expect(proxy.requests[1]?.body.events[2].idempotency_key).to.equal('mine');
  });

  it('keeps a given idempotency key, and creates one per call otherwise', async () => {
    await client().createEvent({ ...EVENT, idempotency_key: 'mine' });
    await client().createEvent(EVENT);
    await client().createEvent(EVENT);
    const [given, ...made] = proxy.requests.map(({ body }) => body.idempotency_key);
    expect(given).to.equal('mine');
    expect(new Set(made)).to.have.property('size', 2);
    expect(await recordedEvents()).to.equal(3);
  });

  for (const mishap of [
    refusal(500, 'database_error'),
    refusal(500, 'internal_error'),
    refusal(502, 'upstream_error', { 'Retry-After': '1' }),
    { status: 503, body: '<h1>Service unavailable</h1>' },
    { status: 200, body: '<h1>Welcome to our network</h1>' },
  ]) {
    it(`retries after a ${mishap.status}: ${JSON.stringify(mishap.body)}`, async () => {
      proxy.expect(mishap);
      const profile = await client().upsertProfile({ identifiers: { external_id: 'cust_1' } });
      expect(profile.identifiers.external_id).to.equal('cust_1');
      expect(proxy.requests).to.have.length(2);
    });
  }

  it('does not retry a request that has to change first', async () => {
    const invalid = await failureOf(client().createEvent({ ...EVENT, profile: { email: 'nobody' } }));
    expect(invalid).to.include({ code: 'validation_error', status: 400, field: 'profile.email' });
    expect(invalid.requestId).to.match(/^[0-9a-f-]{36}$/);
    const unauthorized = await failureOf(client({ apiKey: 'ffk_wrong' }).createEvent(EVENT));
    expect(unauthorized).to.include({ code: 'unauthorized', status: 401, field: null });
    const { key: reader } = await service.newKey({ scopes: ['events:read'] });
    const forbidden = await failureOf(client({ apiKey: reader }).createEvent(EVENT));
    expect(forbidden).to.include({ code: 'forbidden', status: 403 });
    const elsewhere = await failureOf(client({ baseUrl: `${proxy.url}/elsewhere` }).createEvent(EVENT));
    expect(elsewhere.status).to.equal(404);
    expect(proxy.requests).to.have.length(4);
  });

  it('retries the creation of a key only if it was refused', async () => {
    proxy.expect('drop');
    const lost = await failureOf(client().createApiKey({ name: 'Shop', scopes: ['events:write'] }));
    expect(lost).to.include({ code: 'no_answer', status: undefined });
    expect(proxy.requests).to.have.length(1);
    proxy.expect(refusal(429, 'rate_limit_exceeded'), refusal(502, 'upstream_error'));
    const created = await client().createApiKey({ name: 'Report', scopes: ['events:read'] });
    expect(proxy.requests).to.have.length(3);
    await client().revokeApiKey({ id: created.api_key.id });
    const { api_keys } = await client().listApiKeys();
    expect(api_keys.map(({ name }) => name)).to.have.members(['test', 'Shop', 'Report']);
  });

  it('retries reads, deletions and the writes of its README, and no others', async () => {
    const paths = Object.entries(routes).filter(([, { stream }]) => !stream);
    const repeated: string[] = [];
    for (const [id, { method }] of paths) {
      proxy.expect('lose');
      const call = client({ maxAttempts: 2 })[id as keyof typeof routes] as (args: object) => Promise<unknown>;
      await call({ id: 'x', number: 1, profile_id: 'x', events: [] }).catch(() => undefined);
      if (proxy.requests.length > 1 && method !== 'GET' && method !== 'DELETE') repeated.push(id);
      if (method === 'GET' || method === 'DELETE') expect(proxy.requests, id).to.have.length(2);
    }
    expect(repeated).to.have.members([
      ...['createEvent', 'createEventsBulk', 'upsertProfile', 'createList', 'createSegment', 'createAutomation'],
      ...['createWebhookEndpoint', 'enrolProfile'],
      ...['createImport', 'putImportPart', 'previewImport', 'startImport'],
      ...['updateAutomation', 'publishAutomation', 'updateSegment'],
      ...['createTemplate', 'updateTemplate', 'publishTemplate', 'archiveTemplate', 'renderTemplate'],
      ...['createSender', 'sendMessage', 'cancelMessage'],
      ...['createCampaign', 'updateCampaign', 'scheduleCampaign'],
    ]);
  });

  it('saves a draft and a segment once if a response is lost', async () => {
    const steps = [{ id: 'end', type: 'exit' as const }];
    const definition = { name: 'Later', trigger: { type: 'manual' as const }, start: 'end', steps };
    const { id } = await client().createAutomation({ definition });
    proxy.expect('drop', 'cut');
    const draft = await client().updateAutomation({ id, revision: 1, definition: { ...definition, name: 'Now' } });
    expect([draft.revision, draft.name, proxy.requests.length]).to.deep.equal([2, 'Now', 3]);
    proxy.expect('drop');
    expect((await client().publishAutomation({ id, revision: 2 })).number).to.equal(1);
    const segment = await client().createSegment({ name: 'Known', definition: { identifier: 'email' } });
    proxy.expect('drop');
    const change = { id: segment.id, revision: 1, name: 'Reachable', definition: { identifier: 'phone' as const } };
    expect(await client().updateSegment(change)).to.include({ revision: 2, name: 'Reachable' });
  });

  it('does not say twice what a customer chose', async () => {
    const { id } = await client().upsertProfile({ identifiers: { email: 'ada@example.com' } });
    proxy.expect('drop');
    const lost = await failureOf(client().updateProfileConsent({ id, email: { status: 'subscribed' } }));
    expect([lost.code, proxy.requests.length]).to.deep.equal(['no_answer', 1]);
    expect((await client().listProfileConsentChanges({ id })).changes).to.have.length(1);
  });

  it('gives up after its attempts with the last error', async () => {
    proxy.expect(refusal(500, 'internal_error'), 'lose', refusal(500, 'database_error'));
    const error = await failureOf(client({ maxAttempts: 3 }).createEvent(EVENT));
    expect(error).to.include({ code: 'database_error', status: 500, requestId: 'r-1', message: 'Not now' });
    expect(proxy.requests).to.have.length(3);
  });

  it('gives up at once if the wait would exceed its timeout', async () => {
    proxy.expect(refusal(429, 'rate_limit_exceeded', { 'Retry-After': '60' }));
    const error = await failureOf(client({ timeoutMs: 30_000 }).createEvent(EVENT));
    expect(error).to.include({ code: 'rate_limit_exceeded', status: 429, retryAfter: 60 });
    expect(proxy.requests).to.have.length(1);
  });

  it('retries a request that times out, and gives up at the timeout of the whole call', async () => {
    const first = silences(1);
    const event = await client({ attemptTimeoutMs: 300, fetch: first.fetch }).createEvent(EVENT);
    expect(event.event_type).to.equal('placed_order');
    expect(first.sent()).to.equal(2);
    const all = silences(6);
    const patience = { attemptTimeoutMs: 10_000, timeoutMs: 400 };
    const error = await failureOf(client({ ...patience, fetch: all.fetch }).createEvent(EVENT));
    expect(error).to.include({ code: 'no_answer', status: undefined, message: 'POST /v1/events: no response' });
    expect(error.cause).to.have.property('name', 'TimeoutError');
    expect(all.sent()).to.equal(1);
  });

  for (const [when, mishap] of [
    ['while it waits for an answer', 'hang'],
    ['while it waits to repeat', refusal(429, 'rate_limit_exceeded', { 'Retry-After': '50' })],
  ] as const) {
    it(`rejects with the reason of an abort ${when}, and sends nothing more`, async () => {
      proxy.expect(mishap);
      const abort = new AbortController();
      const call = client().createEvent(EVENT, { signal: abort.signal });
      call.catch(() => {});
      await until(() => proxy.requests.length === 1, 'it was sent');
      const reason = new Error('The customer has left');
      abort.abort(reason);
      expect(await call.catch((error: unknown) => error)).to.equal(reason);
      expect(proxy.requests).to.have.length(1);
    });
  }

  it('refuses a base URL that is not valid', () => {
    expect(() => client({ baseUrl: 'nowhere' })).to.throw(TypeError, 'baseUrl');
  });

  it('sends nothing if it is aborted beforehand', async () => {
    const reason = new Error('Never mind');
    const call = client().createEvent(EVENT, { signal: AbortSignal.abort(reason) });
    expect(await call.catch((error: unknown) => error)).to.equal(reason);
    expect(proxy.requests).to.have.length(0);
  });
});
