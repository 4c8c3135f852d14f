import { expect } from 'chai';
import { Client, type Response } from '../support/client.ts';
import { forEachConcurrently } from '../support/for-each.ts';
import { addPeopleOfExamples, BY_OWNER } from '../support/people.ts';
import { until } from '../support/process.ts';
import { spread } from '../support/sample.ts';
import {
  allOperations,
  exampleBodies,
  exampleBody,
  hasPathId,
  isStream,
  methodOf,
  OF_OTHERS,
  pathWith,
  perform,
  performExamples,
  queryNames,
  requiredQuery,
  UNKNOWN_ID,
} from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { idsOf, readRows } from '../support/stored.ts';

/** The customers of the examples: the first, and one who is merged into her. */
const [ADA, GUEST] = ['01a1f83b-f806-7e4e-a294-c062c525643d', '01a1f83c-72b1-7c90-a6ad-0e5d91b7c3f4'];
const EVENT = { event_type: 'seen', profile: { email: 'a@example.com' } };

/** Sends a customer a message, and waits until the outbox has kept it. */
async function sendMessage(owner: Client): Promise<void> {
  const draft = { name: 'Receipt', kind: 'html', class: 'transactional', subject: 'Receipt', body: '<p>Thank you</p>' };
  const template = (await owner.post<any>('/v1/templates', draft, { expect: 201 })).body.id;
  await owner.post(`/v1/templates/${template}/publish`, { revision: 1 }, { expect: 200 });
  await owner.post('/v1/events', EVENT, { expect: 201 });
  const message = { template_id: template, profile: EVENT.profile };
  const { id } = (await owner.post<any>('/v1/messages', message, { expect: 201 })).body;
  await until(async () => (await owner.get(`/v1/messages/${id}/content`)).status === 200, 'the message is kept');
  // One that can be cancelled.
  await owner.post('/v1/messages', { ...message, send_at: '2035-01-01T00:00:00Z' }, { expect: 201 });
}

/** A campaign that is as the examples leave it, and one whose audience is there. */
async function keepCampaigns(owner: Client, { database }: TestService, storeId: string): Promise<void> {
  await database.query(`
    insert into campaign (store_id, id, name, channel, template_id, audience, timing, revision, status, scheduled_at,
      created_at, updated_at)
    values ('${storeId}', gen_random_uuid(), 'We have moved', 'email', '01a1f853-9c18-7f02-b351-e07a46d29b84',
      '{"any":[{"kind":"segment","id":"01a1f848-1a20-7c14-9d3b-6f0e25a8c741"}],"not":[]}',
      '{"localTime":null,"timeZone":null,"past":"next_day","spread":"PT1H","hours":null}', 2, 'scheduled',
      '2035-01-01T08:00:00Z', now(), now())`);
  const { id: list } = (await owner.post<any>('/v1/lists', { name: 'Neighbours' }, { expect: 201 })).body;
  const draft = { name: 'Fair', channel: 'email', audience: { any: [{ list }] } };
  await owner.post('/v1/campaigns', draft, { expect: 201 });
}

/** A category, an item, a type of events, a customer's code, an order, and a feed with a run, found by ids like all else. */
async function keepItems(owner: Client, { database }: TestService, storeId: string): Promise<void> {
  const [category, item] = ['01a1f86a-2b10-7c41-9f35-8d0e6a47b219', '01a1f86a-2f90-7e05-a8c2-51d7f3b90e64'];
  await owner.post('/v1/catalog/categories/upsert', { id: category, title: 'Pots' }, { expect: 201 });
  const pot = { id: item, title: 'A pot', categories: [category], prices: { EUR: { price: 24 } } };
  await owner.post('/v1/catalog/items/upsert', pot, { expect: 201 });
  await owner.post('/v1/events', { ...EVENT, event_type: item }, { expect: 201 });
  await owner.post('/v1/profiles/upsert', { identifiers: { external_id: 'waits' } });
  const waiting = { profile: { external_id: 'waits' }, item_id: item, kind: 'back_in_stock' };
  await owner.post('/v1/catalog/subscriptions', waiting, { expect: 201 });
  const { pools } = (await owner.get<any>('/v1/coupon-pools', { expect: 200 })).body;
  await owner.post(`/v1/coupon-pools/${pools[0].id}/codes`, { codes: ['ONE', 'TWO'] }, { expect: 200 });
  // Of one id, as a path has it in the place of each.
  await database.query(`
    insert into profile_note (store_id, profile_id, id, text, author_kind, author_id, created_at)
    select store_id, id, id, 'x', 'key', id, now() from profile where store_id = '${storeId}'`);
  await database.query(`
    insert into store_order (store_id, order_id, event_id, profile_id, placed_at, refunded, event_count)
    select '${storeId}', id, id::uuid, gen_random_uuid(), now(), 0, 1
    from (values ('01a1f86d-1c40-7b52-8f06-2d9e7a31c5b4')) o (id);
    insert into catalog_feed (store_id, id, name, source, url, url_shown, every_minutes, created_at, updated_at)
    values ('${storeId}', '01a1f86c-5a20-7c31-9e84-6b0d2f57c8a9', 'Pans', 'file', '', '', 60, now(), now());
    insert into catalog_feed_run (store_id, id, feed_id, status, started_at, ended_at)
    select store_id, id, id, 'complete', now(), now() from catalog_feed where name = 'Pans'`);
}

/** Two customers who were merged, and of whom nothing is left to be looked for later. */
async function keepMerge(owner: Client, { database }: TestService, storeId: string): Promise<void> {
  const create = async (external_id: string) =>
    (await owner.post<any>('/v1/profiles/upsert', { identifiers: { external_id } }, { expect: 201 })).body.id;
  const [id, from] = [await create('stays'), await create('goes')];
  const { body: merge } = await owner.post<any>(`/v1/profiles/${id}/merge`, { from });
  const isComplete = async () => (await owner.get<any>(`/v1/merges/${merge.id}`)).body.status === 'complete';
  await until(isComplete, 'the merge is complete');
  await database.query(`update profile_merge set due_at = null where store_id = '${storeId}'`);
}

/** What others look for would no longer be what it was. */
const LATE = ['publishAutomation', 'setAutomationStatus'];
// What changes or deletes what the others look for comes last; and last of all what revokes their key.
const placeOf = ({ method, operationId = '' }: { method: string; operationId?: string }) =>
  Number(method === 'delete' || LATE.includes(operationId)) + Number(operationId === 'revokeApiKey');
const operations = (await allOperations()).sort((a, b) => placeOf(a) - placeOf(b));

// Generated from the specs, for every operation that they have, now and later. Do not skip one.
describe('A key of another store', () => {
  let service: TestService;
  let owner: Client;
  let ownersStore: string;
  /** Every id in the owner's store; one of each kind; and what the owner is told that could be a cursor. */
  let ids: string[];
  /** The ids of two customers. */
  let profile: string;
  let guest: string;
  let samples: string[];
  let cursors: string[];
  /** What the owner's store held before an operation, and so after the one before it. */
  let held: string[];
  let stranger: Client;
  let strangersKey: string;

  before(async () => {
    // The runs of automations stay as they are.
    const env = {
      RATE_LIMIT_TIERS: 'standard=100000,partner=100000',
      AUTOMATION_CONCURRENCY: '0',
      COMPAT_LISTS: 'true',
    };
    service = await TestService.start(env);
    const { key, storeId } = await service.newKey();
    owner = new Client(service.url, key);
    ownersStore = storeId;
    await performExamples(owner);
    await sendMessage(owner);
    await keepCampaigns(owner, service, storeId);
    await keepItems(owner, service, storeId);
    await keepMerge(owner, service, storeId);
    await addPeopleOfExamples(service, storeId);
    const { endpoints } = (await owner.get<any>('/v1/webhook-endpoints', { expect: 200 })).body;
    await owner.send('POST', `/v1/webhook-endpoints/${endpoints[0].id}/test`, undefined, { expect: 200 });
    const { profiles } = (await owner.get<any>('/v1/profiles', { expect: 200 })).body;
    const { lists } = (await owner.get<any>('/v1/lists', { expect: 200 })).body;
    const members = profiles.map(({ id }: { id: string }) => ({ profile_id: id }));
    for (const { id } of lists) await owner.post(`/v1/lists/${id}/members`, { members }, { expect: 200 });
    await settle();
    // A key that may be revoked.
    await service.newKey({ storeId });
    ids = [...(await idsOf(service.database, storeId)), storeId];
    const kinds = new Map((await readRows(service.database, storeId)).map(({ table, row }) => [table, String(row.id)]));
    profile = kinds.get('profile') as string;
    guest = profiles.find(({ id }: { id: string }) => id !== profile).id;
    samples = ids.filter((id) => [...kinds.values()].includes(id));
    cursors = await cursorsOf(owner);
    // Some of what was asked for the cursors is refused.
    await settle();
    held = await ownerRows();
  });
  beforeEach(async () => {
    strangersKey = (await service.newKey()).key;
    stranger = new Client(service.url, strangersKey);
  });
  after(() => service.stop());

  async function settle(): Promise<void> {
    const isUnderWay = /"(queued|processing|event_count_new|automation_count_new)"/;
    // Refused requests are written a second later, in order.
    const last = (await owner.get('/v1/no-such-operation', { expect: 404 })).headers['x-request-id'] as string;
    await until(async () => {
      const rows = await readRows(service.database, ownersStore);
      const refusal = rows.find(({ table, row }) => table === 'rejection' && JSON.stringify(row).includes(last));
      if (!refusal || isUnderWay.test((await ownerRows()).join())) return false;
      // The feed has all that came before it, too, and it is read.
      const additions = rows.filter(({ table }) => table === 'addition');
      const head = rows.find(({ table }) => table === 'feed_head')?.row.position;
      const isRead = ['items', 'orders'].every((name) =>
        rows.some(({ table, row }) => table === 'feed_reader' && row.name === name && row.entry === head),
      );
      if (!isRead || additions.some(({ row }) => row.position === null)) return false;
      return additions.some(({ row }) => JSON.stringify(row.ids).includes(String(refusal.row.id)));
    }, 'its jobs, its counts, its refused requests and their places in the feed are done');
  }

  /**
   * What the owner's store holds, but for when its keys were last used, when it is looked at for notifications, and the journal
   * of changes, from which the service removes what is superseded: a text for each row, in order.
   */
  async function ownerRows(): Promise<string[]> {
    const rows = await readRows(service.database, ownersStore);
    const lasting = rows.filter(({ table }) => table !== 'profile_update');
    const untimed = { last_used_at: null, check_at: null, reported_week: null };
    return lasting.map(({ table, row }) => JSON.stringify({ table, ...row, ...untimed })).sort();
  }

  /** Fails where an answer tells anything of the owner's store that the request did not hold itself. */
  function expectNothingOf(sent: string, { status, body }: Response<unknown>): void {
    const text = JSON.stringify(body);
    const told = ids.filter((id) => text.includes(id) && !sent.includes(id));
    expect(told, `${sent}: ${text}`).to.deep.equal([]);
    expect(status, text).to.be.below(500);
  }

  for (const [turn, operation] of operations.entries()) {
    const { operationId, path } = operation;
    const method = methodOf(operation);

    describe(`${operationId}, ${method} ${path}`, () => {
      after(async () => {
        const holds = await ownerRows();
        const [came, went] = [without(holds, held), without(held, holds)];
        held = holds;
        expect({ came, went }, JSON.stringify({ came, went })).to.deep.equal({ came: [], went: [] });
      });

      if (hasPathId(operation)) {
        it("finds none of the first store's ids, as if they did not exist", async () => {
          const unknown = await perform(stranger, operation, pathWith(operation, UNKNOWN_ID));
          expect(unknown.status).to.equal(404);
          await forEachConcurrently([...samples, ...spread(ids, 20, turn)], async (id) => {
            const { status, body } = await perform(stranger, operation, pathWith(operation, id));
            expect([status, withoutIds(body)], id).to.deep.equal([404, withoutIds(unknown.body)]);
          });
        });
      } else if (!isStream(operation)) {
        it('returns only data of its own store', async () => {
          const answer = await perform(stranger, operation, path);
          if (BY_OWNER.has(operationId ?? '')) expect(answer.status).to.equal(403);
          else if (OF_OTHERS.includes(operationId ?? '')) expect(answer.status).to.be.oneOf([400, 404]);
          else expect(answer.status).to.be.below(300);
          expectNothingOf('', answer);
        });
      }

      if (isStream(operation)) {
        it('receives only events of its own store', async () => {
          const headers = { Authorization: `Bearer ${strangersKey}` };
          const { status, body } = await fetch(service.url + path, { headers });
          expect(status).to.equal(200);
          await performExamples(owner);
          await settle();
          const own = await stranger.post('/v1/events', EVENT, { expect: 201 });
          let heard = '';
          for await (const bytes of body ?? []) {
            heard += Buffer.from(bytes).toString();
            if (heard.includes(own.body.id)) break;
          }
          const theirs = await idsOf(service.database, ownersStore);
          expect(theirs.filter((id) => heard.includes(id))).to.deep.equal([]);
          held = await ownerRows();
        });
      }

      if (operation.requestBody !== undefined) {
        it('has no effect on the first store through an id in its body', async () => {
          const bodies = samples.flatMap((id) =>
            withIdAnywhere(exampleBody(operation), id).map((body) => ({ id, body })),
          );
          await forEachConcurrently(spread(bodies, 61, turn), async ({ id, body }) => {
            // A new one each time: it may keep what it has sent, and be told of it.
            const sender = await service.client();
            expectNothingOf(id, await perform(sender, operation, pathWith(operation, UNKNOWN_ID), body));
          });
        });
      }

      if (queryNames(operation).length > 0 && !isStream(operation)) {
        it('has no effect on the first store through an id or a cursor in its query', async () => {
          const queries = queryNames(operation).flatMap((name) =>
            [...samples, ...cursors].map((handle) => `?${new URLSearchParams({ [name]: handle })}`),
          );
          await forEachConcurrently(spread(queries, 61, turn), async (query) =>
            expectNothingOf(query, await perform(stranger, operation, pathWith(operation, UNKNOWN_ID) + query)),
          );
        });
      }
    });
  }

  // Without this all of the above might look for what nobody finds.
  describe('is tested with ids that the first key does find', () => {
    /** Those that other operations have found, the last one first: operations of the same path come after each other. */
    const found: string[] = [];

    for (const operation of operations.filter(hasPathId)) {
      it(`by ${operation.operationId}`, async () => {
        // Where a path names a profile besides something else, that of any.
        const profileId = operation.path.endsWith('{profile_id}') ? profile : undefined;
        const refusals = new Set<string>();
        for (const id of new Set([...found, ...samples, ...ids])) {
          for (const body of exampleBodies(operation)) {
            const known = body && JSON.parse(JSON.stringify(body).replaceAll(ADA, profile).replaceAll(GUEST, guest));
            const response = await perform(owner, operation, pathWith(operation, id, profileId), known);
            if (response.status < 300) {
              found.unshift(id);
              return;
            }
            refusals.add(`${response.status} ${(response.body as any)?.error?.message ?? ''}`);
          }
        }
        expect.fail(`it finds nothing under any id: ${[...refusals].join('; ')}`);
      });
    }
  });
});

/** What could be a cursor in the pages that a client is given. */
async function cursorsOf(client: Client): Promise<string[]> {
  const found = new Set<string>();
  for (const operation of operations) {
    if (operation.method !== 'get' || hasPathId(operation) || isStream(operation)) continue;
    const needed = requiredQuery(operation);
    const short = `${needed === '' ? '?' : `${needed}&`}limit=1`;
    for (const query of queryNames(operation).includes('limit') ? [needed, short] : [needed]) {
      const { body } = await client.get(operation.path + query);
      for (const text of textsOf(body)) if (/^[\w+/=.~-]{16,}$/.test(text)) found.add(text);
    }
  }
  return [...found];
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** An example with an id in the place of each of its texts, and as the `id` of each of its resources. */
function withIdAnywhere(example: unknown, id: string): unknown[] {
  const json = JSON.stringify(example);
  const texts = [...new Set(textsOf(example))].map((text) =>
    json.replaceAll(`:${JSON.stringify(text)}`, `:${JSON.stringify(id)}`),
  );
  const resources = json.replaceAll('{"type":', `{"id":${JSON.stringify(id)},"type":`);
  return [...texts, resources].filter((body) => body !== json).map((body) => JSON.parse(body));
}

function without(rows: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return rows.filter((row) => !known.has(row));
}

/** An error body without the request's own id. */
function withoutIds(body: unknown): string {
  return JSON.stringify(body).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '');
}
