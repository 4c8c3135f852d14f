import { expect } from 'chai';
import type { Operation } from 'openapi-backend';
import { type Database, openDatabase, type Sql } from '../../src/db/orm.ts';
import { deleteOldOfAutomations } from '../../src/domain/automations/retention/delete-old.ts';
import { takeTurn } from '../../src/domain/campaigns/engine/turn.ts';
import { deletionOfConfirmations } from '../../src/domain/confirmations/delete-old.ts';
import { SUM_UP_COUPON_COUNTS } from '../../src/domain/coupons/codes/counts.ts';
import { DELETE_CODES_OF_DELETED } from '../../src/domain/coupons/codes/delete-codes.ts';
import { deleteOldAdditions, KEPT_MS } from '../../src/domain/feed/delete-old.ts';
import { addFeedReader, readNext, removeFeedReader } from '../../src/domain/feed/readers.ts';
import { postponeAfterFailure, uncountAttempt } from '../../src/domain/imports/attempts.ts';
import { deleteOldAnswers } from '../../src/domain/kept-answers.ts';
import { DELETE_MEMBERS_OF_DELETED } from '../../src/domain/lists/delete-members.ts';
import { deletionOfMessages } from '../../src/domain/messages/delete-old.ts';
import { deletionOfOldMails } from '../../src/domain/messages/outbox.ts';
import { findOrder } from '../../src/domain/orders/find-orders.ts';
import { findUnready, followingOfOrders } from '../../src/domain/orders/reader/find-unread.ts';
import { readOrders } from '../../src/domain/orders/reader/read-orders.ts';
import { changeOrderSettings } from '../../src/domain/orders/settings.ts';
import { DELETE_SUPERSEDED } from '../../src/domain/profile-updates/delete-superseded.ts';
import { compareSome } from '../../src/domain/segments/comparison/compare.ts';
import { findUncompared } from '../../src/domain/segments/comparison/progress.ts';
import { DELETE_OLD_CHANGES } from '../../src/domain/segments/delete-old.ts';
import { GenerationCache } from '../../src/domain/segments/engine/generations.ts';
import { WorkCount } from '../../src/domain/segments/engine/work.ts';
import { deletionOfOrders, deletionOfTouches } from '../../src/domain/tracking/attribution/delete-old.ts';
import { readChanges } from '../../src/domain/tracking/attribution/read-changes.ts';
import { READER } from '../../src/domain/tracking/attribution/reader.ts';
import { deletionOfHits } from '../../src/domain/tracking/delete-old-hits.ts';
import { DELETE_OLD_DELIVERIES } from '../../src/domain/webhooks/deliveries/delete-old.ts';
import { createLog } from '../../src/process/log.ts';
import { eventJobDocument, profileJobDocument } from '../compat/documents.ts';
import { errorsOf, runJob } from '../compat/steps.ts';
import type { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { scenariosOf } from '../support/examples.ts';
import { DOT } from '../support/images.ts';
import { addPeopleOfExamples, BY_OWNER, ownerOf } from '../support/people.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { isStream, methodOf, perform } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { loadSpec, type SurfaceName } from '../support/spec.ts';
import { Translation } from '../support/translation.ts';

const OLD = '015b0000-0000-7000-8000-000000000001';

/** Has services on a database, by way of a URL, do everything that they can. */
export async function doEverything(url: string, database: TestDatabase): Promise<void> {
  await dropLastPartition(database);
  const env = { DATABASE_URL: url, EVENT_RETENTION_DAYS: '30', COMPAT_LISTS: 'true' };
  const service = await TestService.start(env, database);
  const store = await service.newKey({
    storeId: await service.newStore('default'),
    name: 'First key',
    tier: 'standard',
  });
  const client = await service.client({ storeId: store.storeId, name: 'First key' });
  const other = await service.client();
  const stream = await EventStream.open(service.url, store.key);
  // An account has the id of a public key, once there is one.
  await client.post('/v1/lists', { name: 'Newsletter' }, { expect: 201 });
  await addPeopleOfExamples(service, store.storeId);
  await tellStory(service, store.storeId, client, 'compat');
  await tellStory(service, store.storeId, client, 'native');
  await deleteFullList(client);
  await confirmSubscription(client, service.url);
  const campaignId = await sendCampaign(client);
  await sendOnceMore(client, campaignId);
  const testedId = await scheduleTest(client, campaignId);
  await importCustomers(client);
  await automate(client);
  await followSegment(client);
  await followSchedule(client, database);
  await showImage(client, service.url);
  await Promise.all([writeInEveryWay(client), writeInEveryWay(other)]);
  await until(() => stream.eventIds.length > 0, 'the stream has begun');
  stream.close();
  (await EventStream.open(service.url, store.key, stream.lastId)).close();
  for (const path of ['/health/ready', '/metrics']) await client.get(path, { expect: 200 });
  await service.stopService();
  const own = await openDatabase(url, 2);
  await followFeed(own, store.storeId, database);
  await keepAutomationsSmall(own, store.storeId, database);
  await creditOrders(own, store.storeId, database);
  // What a service begins with only after a while.
  for (const task of [
    DELETE_SUPERSEDED,
    DELETE_MEMBERS_OF_DELETED,
    SUM_UP_COUPON_COUNTS,
    DELETE_CODES_OF_DELETED,
    DELETE_OLD_DELIVERIES,
    DELETE_OLD_CHANGES,
    deletionOfMessages(30),
    deletionOfOldMails(),
    deletionOfHits(),
    deletionOfTouches(),
    deletionOfOrders(30),
    deletionOfConfirmations(),
  ]) {
    await task.run(own.sql, performance.now() + 5_000);
  }
  await compareSegments(own, store.storeId, database);
  await decideTest(own, store.storeId, testedId, database);
  await pauseCampaign(own, store.storeId, campaignId, database);
  const failed = { storeId: store.storeId, jobId: store.id, kind: 'events' as const, number: 1 };
  await postponeAfterFailure(own.sql, failed);
  await uncountAttempt(own.sql, failed);
  await own.close();
  await age(database, store.storeId);
  // Its start forgets what is too old.
  await (await TestService.start(env, database)).stopService();
}

/** As the examples name her. */
const ADA = '01a1f83b-f806-7e4e-a294-c062c525643d';

/** Sends what the examples of a spec show, and each list with each parameter, to its second page. */
async function tellStory(service: TestService, storeId: string, client: Client, surface: SurfaceName): Promise<void> {
  const words = new Translation(service.url);
  // Whom the story of the other surface has met already.
  const { body: known } = await client.get('/v1/profiles?email=ada@example.com');
  if (known.profiles.length > 0) words.difference({ id: ADA }, { id: known.profiles[0].id });
  for (const operation of (await loadSpec(surface)).operations) {
    if (isStream(operation)) continue;
    for (const { name, parameters, body, answer } of scenariosOf(operation)) {
      const given = new Map(Object.entries(words.toService(parameters)));
      const own = operation.path.replaceAll(/\{(\w+)\}/g, (_, named) => take(given, named));
      const search = new URLSearchParams([...given]).toString();
      const path = own + (search && `?${search}`);
      const isByOwner = BY_OWNER.has(operation.operationId as string);
      const by = isByOwner ? client.inBrowser(await ownerOf(service, storeId)) : client;
      const send = () => perform(by, operation, path, words.toService(body));
      let { status, body: answered } = await send();
      // What is made a moment later, as the content of a message that is sent.
      if (status === 404 && methodOf(operation) === 'GET') {
        await until(async () => {
          ({ status, body: answered } = await send());
          return status < 300;
        }, `${operation.operationId}, ${name}`);
      }
      expect(status, `${operation.operationId}, ${name}`).to.be.below(300);
      const difference = words.difference(answer, { status, body: answered });
      if (difference === undefined || operation.operationId !== 'listCatalogFeedRuns') continue;
      // Its run is what others name.
      await until(async () => {
        const { body: now } = await send();
        return words.difference(answer, { status, body: now }) === undefined;
      }, 'the feed is read');
    }
    if (methodOf(operation) !== 'GET' || operation.path.includes('{')) continue;
    for (const query of [...queriesOf(operation), 'limit=1', 'page[size]=1']) {
      const { body } = await client.get(`${operation.path}?${query}`);
      const next = body?.next_cursor ? `${operation.path}?${query}&cursor=${body.next_cursor}` : body?.links?.next;
      if (next) await client.get(next.replace(service.url, ''));
    }
  }
}

function take(given: Map<string, string>, name: string): string {
  const value = given.get(name) ?? '';
  given.delete(name);
  return value;
}

/** A list that is deleted with a member. */
async function deleteFullList(client: Client): Promise<void> {
  const list = { name: 'Visitors', idempotency_key: 'visitors' };
  const { body } = await client.post('/v1/lists', list, { expect: 201 });
  await client.post('/v1/lists', list, { expect: 201 });
  await client.post(`/v1/lists/${body.id}/members`, { members: [{ external_id: 'cust_1001' }] }, { expect: 200 });
  await client.send('DELETE', `/v1/lists/${body.id}`, undefined, { expect: 200 });
}

/** A campaign to whoever is in a list and not in a segment. Returns its id. */
async function sendCampaign(client: Client): Promise<string> {
  const create = async (path: string, body: object) =>
    (await client.post<any>(path, body, { expect: 201 })).body.id as string;
  const list = await create('/v1/lists', { name: 'Neighbours' });
  const members = [{ external_id: 'cust_1001' }];
  await client.post(`/v1/lists/${list}/members`, { members }, { expect: 200 });
  const segment = await create('/v1/segments', {
    name: 'Nobody',
    definition: { attribute: 'tier', op: 'eq', value: '-' },
  });
  await until(async () => {
    const { status } = (await client.get<any>(`/v1/segments/${segment}`, { expect: 200 })).body;
    return status === 'live';
  }, 'the segment is built');
  const draft = {
    name: 'Fair',
    kind: 'html',
    class: 'transactional',
    subject: 'Come',
    body: '<p>Come to the fair</p>',
  };
  const template_id = await create('/v1/templates', draft);
  await client.post(`/v1/templates/${template_id}/publish`, { revision: 1 }, { expect: 200 });
  const audience = { any: [{ list }, { segment }], not: [{ segment }] };
  const id = await create('/v1/campaigns', { name: 'Fair', channel: 'email', template_id, audience });
  await client.get(`/v1/campaigns/${id}/estimate`, { expect: 200 });
  await client.send('POST', `/v1/campaigns/${id}/check`, undefined, { expect: 200 });
  await client.post(`/v1/campaigns/${id}/schedule`, { revision: 1 }, { expect: 200 });
  await until(async () => {
    const { status } = (await client.get<any>(`/v1/campaigns/${id}`, { expect: 200 })).body;
    return status === 'sent';
  }, 'the campaign is sent');
  return id;
}

/** To recipients of a campaign that was sent, in the hours of their clocks. */
async function sendOnceMore(client: Client, campaignId: string): Promise<void> {
  const { template_id } = (await client.get<any>(`/v1/campaigns/${campaignId}`, { expect: 200 })).body;
  const part = (who: string) => ({ campaign: { id: campaignId, who } });
  const time_zone = { attribute: 'time_zone', default: 'UTC' };
  const draft = {
    ...{ name: 'Fair, once more', channel: 'email', template_id },
    audience: { any: [part('non_openers')], not: [part('failed')] },
    timing: { time_zone, spread: 'PT1S', hours: { from: '00:00', to: '23:59' } },
  };
  const { id } = (await client.post<any>('/v1/campaigns', draft, { expect: 201 })).body;
  await client.get(`/v1/campaigns/${id}/estimate`, { expect: 200 });
  await client.post(`/v1/campaigns/${id}/schedule`, { revision: 1 }, { expect: 200 });
  await until(async () => {
    const { prepared_at: at } = (await client.get<any>(`/v1/campaigns/${id}`, { expect: 200 })).body;
    return at !== null;
  }, 'its recipients are found');
}

/** The same campaign, of which some try variants, and which begins later. Returns its id. */
async function scheduleTest(client: Client, campaignId: string): Promise<string> {
  const { template_id, audience } = (await client.get<any>(`/v1/campaigns/${campaignId}`, { expect: 200 })).body;
  const test = {
    variants: [{ subject: 'Come' }, { subject: 'Do come' }],
    ...{ percent: 20, decide_by: 'clicks', after: 'PT4H', if_unclear: 'first' },
  };
  const draft = { name: 'Fair', channel: 'email', template_id, audience, test, hold_out_percent: 0 };
  const { id } = (await client.post<any>('/v1/campaigns', draft, { expect: 201 })).body;
  await client.send('POST', `/v1/campaigns/${id}/check`, undefined, { expect: 200 });
  await client.post(`/v1/campaigns/${id}/schedule`, { revision: 1, at: '2035-01-01T08:00:00Z' }, { expect: 200 });
  return id;
}

/** Has it begin, and decide its test, which its only recipient does not take part in. */
async function decideTest(own: Database, storeId: string, id: string, database: TestDatabase): Promise<void> {
  const takeTurns = async (change: string) => {
    await database.query(`update campaign set ${change}, due_at = now() - interval '1 second' where id = '${id}'`);
    while (await takeTurn(own.sql, storeId, id, { isStopping: () => true }));
  };
  await takeTurns(`scheduled_at = now() - interval '1 second'`);
  await database.query(`update message set variant = null, due_at = 'infinity' where source_id = '${id}'`);
  await takeTurns('tested_at = null');
  await takeTurns(`tested_at = now() - interval '4 hours 1 second'`);
  const [rest] = await database.query(
    `select due_at < now() + interval '1 second' as is_due from message where source_id = '${id}'`,
  );
  expect(rest).to.deep.equal({ is_due: true });
}

/** What becomes of messages that wait, as their campaign is paused, goes on and is cancelled. */
async function pauseCampaign(own: Database, storeId: string, id: string, database: TestDatabase): Promise<void> {
  await database.query(
    `update message set status = 'waiting', due_at = now() - interval '1 second' where source_id = '${id}'`,
  );
  for (const status of ['paused', 'sending', 'cancelled']) {
    await database.query(`
      update campaign set status = '${status}', has_parked = true, due_at = now() - interval '1 second'
      where id = '${id}'`);
    while (await takeTurn(own.sql, storeId, id, { isStopping: () => false }));
  }
  const left = await database.query(`select from message where source_id = '${id}' and status <> 'cancelled'`);
  expect(left).to.have.length(0);
}

/** Who subscribes to a list with double opt-in, and follows the link that they are sent. */
async function confirmSubscription(client: Client, url: string): Promise<void> {
  const { body: list } = await client.post<any>('/v1/lists', { name: 'Gazette', opt_in: 'double' }, { expect: 201 });
  const profile = { type: 'profile', attributes: { email: 'gazette@example.com' } };
  const data = {
    type: 'profile-subscription-bulk-create-job',
    attributes: { profiles: { data: [profile] } },
    relationships: { list: { data: { type: 'list', id: list.id } } },
  };
  await client.post('/compat/v1/api/profile-subscription-bulk-create-jobs', { data }, { expect: 202 });
  const { body: found } = await client.get<any>('/v1/profiles?email=gazette@example.com', { expect: 200 });
  const place = `/v1/profiles/${found.profiles[0].id}/messages`;
  let link: string | undefined;
  await until(async () => {
    const [message] = (await client.get<any>(place, { expect: 200 })).body.messages;
    if (message.status !== 'sent') return false;
    const { html } = (await client.get<any>(`/v1/messages/${message.id}/content`, { expect: 200 })).body;
    [link] = /\/m\/confirm\/[\w-]+/.exec(html) ?? [];
    return true;
  }, 'the message that asks is sent');
  for (const method of ['GET', 'POST']) await fetch(`${url}${link}`, { method });
}

/** Each of an operation's parameters, by each of the examples that its spec has. */
function queriesOf({ parameters = [] }: Operation): string[] {
  return parameters.flatMap((parameter) => {
    if (!('in' in parameter) || parameter.in !== 'query') return [];
    const values = [
      parameter.example,
      ...Object.values(parameter.examples ?? {}).map((one) => 'value' in one && one.value),
    ];
    return values.filter(Boolean).map((value) => new URLSearchParams({ [parameter.name]: String(value) }).toString());
  });
}

/** Writes with one identifier and with several, once and again, singly and in bulk, and what is refused. */
async function writeInEveryWay(client: Client): Promise<void> {
  const profiles = [
    { email: 'ada@example.com' },
    { email: 'ada@example.com', external_id: 'ada' },
    { external_id: 'ada', phone: '+39061234' },
  ];
  for (const [n, profile] of profiles.entries()) {
    const event = { event_type: 'visit', profile, properties: { sku: 'a' } };
    for (const idempotency_key of [`key ${n}`, `key ${n}`])
      await client.post('/v1/events', { ...event, idempotency_key });
    await client.post('/v1/events', event, { expect: 201 });
    const events = Array.from({ length: 1_000 }, (_, i) => ({ ...event, idempotency_key: `key ${i}` }));
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    await client.post('/v1/profiles/upsert', { identifiers: profile, attributes: { n } }, { expect: 200 });
  }
  await client.post('/v1/events', { event_type: 'visit' }, { expect: 400 });
  const refused = await runJob(
    client,
    profileJobDocument([
      { external_id: 'x', email: 'x@example.com' },
      { external_id: 'ada', email: 'x@example.com' },
    ]),
  );
  await errorsOf(client, refused);
  await runJob(client, eventJobDocument([{ profile: { external_id: 'ada' }, events: [{ metric: 'Visit' }] }]));
}

const AUTOMATIONS = [
  {
    trigger: { type: 'event', event_type: 'asked', filter: { property: 'n', op: 'gte', value: 0 } },
    exit_on: [{ event_type: 'bought' }],
    steps: [
      {
        id: 'first',
        type: 'branch',
        cases: [
          { when: { consent: { channel: 'email', status: 'suppressed' } }, next: null },
          { when: { did: { event_type: 'asked', at_least: 1, filter: { property: 'n', op: 'exists' } } }, next: 'set' },
        ],
        else: null,
      },
      { id: 'set', type: 'set_profile', set: { asked: true }, next: 'emit' },
      { id: 'emit', type: 'emit_event', event_type: 'reminded', next: 'wait' },
      { id: 'wait', type: 'wait', for: [{ event_type: 'answered', next: 'end' }], timeout: 'PT1S', on_timeout: 'end' },
      { id: 'end', type: 'delay', for: 'PT1S', next: null },
    ],
  },
  { trigger: { type: 'profile_change', attribute: 'asked' }, steps: [{ id: 'first', type: 'exit' }] },
  {
    trigger: { type: 'date', attribute: 'birthday', repeat: 'yearly', at: '00:00' },
    steps: [{ id: 'first', type: 'exit' }],
  },
];

/** Has automations do all that they can, until their runs have ended. */
async function automate(client: Client): Promise<void> {
  const ids: string[] = [];
  for (const definition of AUTOMATIONS) {
    const body = { definition: { name: 'All steps', start: 'first', ...definition } };
    const created = await client.post('/v1/automations', body, { expect: 201 });
    const { id, revision } = created.body;
    await client.post(`/v1/automations/${id}/publish`, { revision, in_flight: 'keep' }, { expect: 200 });
    ids.push(id);
  }
  for (const customer of ['asking', 'buying', 'waiting']) {
    const profile = { external_id: customer };
    await client.post('/v1/profiles/upsert', { identifiers: profile, attributes: { birthday: '1990-02-28' } });
    await client.post('/v1/events', { event_type: 'asked', profile, properties: { n: 1 } }, { expect: 201 });
  }
  await client.post('/v1/events', { event_type: 'answered', profile: { external_id: 'asking' } }, { expect: 201 });
  await client.post('/v1/events', { event_type: 'bought', profile: { external_id: 'buying' } }, { expect: 201 });
  await until(async () => {
    const { body } = await client.get(`/v1/automations/${ids[0]}/runs?status=ended`);
    return body.runs.length === 3;
  }, 'all runs have ended');
}

/** Compares the members of segments, one of which is not one any more. */
async function compareSegments(own: Database, storeId: string, database: TestDatabase): Promise<void> {
  await database.query(`update segment_store set compared_on = '2020-01-01'`);
  await database.query(`delete from segment_member where store_id = '${storeId}'`);
  expect(await findUncompared(own.sql)).to.include(storeId);
  const tools = {
    generations: new GenerationCache(),
    log: createLog('silent'),
    work: new WorkCount(),
    now: () => Date.now() + 60_000,
  };
  while ((await compareSome(own.sql, storeId, tools)).isMore);
}

/** Has automations start with the members of a segment, and with who enters and leaves it. */
async function followSegment(client: Client): Promise<void> {
  const move = (tier: string) =>
    client.post('/v1/profiles/upsert', { identifiers: { external_id: 'moving' }, attributes: { tier } });
  await move('gold');
  const definition = { attribute: { name: 'tier', op: 'eq', value: 'gold' } };
  const { body: segment } = await client.post('/v1/segments', { name: 'Gold', definition }, { expect: 201 });
  const isBuilt = async () => (await client.get(`/v1/segments/${segment.id}`)).body.status === 'live';
  await until(isBuilt, 'the segment is built');
  const ids: string[] = [];
  for (const trigger of [{ type: 'segment_entry', include_members: true }, { type: 'segment_exit' }]) {
    const started = { trigger: { ...trigger, segment: segment.id }, steps: [{ id: 'first', type: 'exit' }] };
    const body = { definition: { name: 'Gold', start: 'first', ...started } };
    const { body: automation } = await client.post('/v1/automations', body, { expect: 201 });
    const { id, revision } = automation;
    await client.post(`/v1/automations/${id}/publish`, { revision }, { expect: 200 });
    ids.push(id);
  }
  const ended = async (id: string) => (await client.get(`/v1/automations/${id}/runs?status=ended`)).body.runs.length;
  await until(async () => (await ended(ids[0] as string)) === 1, 'the member has started');
  await move('silver');
  await until(async () => (await ended(ids[1] as string)) === 1, 'whoever left has started');
  const { body: profile } = await client.get('/v1/profiles?external_id=moving');
  for (const id of ids) {
    await client.get(`/v1/automations/${id}/explanation?profile_id=${profile.profiles[0].id}`, { expect: 200 });
  }
  await client.send('DELETE', `/v1/segments/${segment.id}`, undefined, { expect: 400 });
}

/** Has an automation start with the members of a list by a schedule, reach its goal, and be meant by another clock. */
async function followSchedule(client: Client, database: TestDatabase): Promise<void> {
  const { body: list } = await client.post('/v1/lists', { name: 'Weekly' }, { expect: 201 });
  const profile = { external_id: 'scheduled' };
  await client.post('/v1/profiles/upsert', { identifiers: profile }, { expect: 201 });
  await client.post(`/v1/lists/${list.id}/members`, { members: [profile] }, { expect: 200 });
  const definition = {
    name: 'Weekly',
    trigger: { type: 'schedule', list: list.id, repeat: 'daily', at: '09:00' },
    goal: { event_type: 'was_reached', within: 'P1D' },
    start: 'first',
    steps: [{ id: 'first', type: 'delay', for: 'PT1H', next: null }],
  };
  const { id, revision } = (await client.post('/v1/automations', { definition }, { expect: 201 })).body;
  await client.post(`/v1/automations/${id}/publish`, { revision }, { expect: 200 });
  await client.send('PATCH', '/v1/store', JSON.stringify({ time_zone: 'UTC' }), {
    headers: { 'Content-Type': 'application/json' },
    expect: 200,
  });
  await database.query(
    `update automation_occurrence set due_at = now() - interval '1 second' where automation_id = '${id}'`,
  );
  const runs = async (status: string) => (await client.get(`/v1/automations/${id}/runs?status=${status}`)).body.runs;
  await until(async () => (await runs('active')).length === 1, 'the member has started');
  await client.post('/v1/events', { event_type: 'was_reached', profile }, { expect: 201 });
  await until(async () => (await runs('ended')).length === 1, 'the goal is reached');
  const [run] = await runs('ended');
  await client.get(`/v1/automations/${id}/explanation?profile_id=${run.profile_id}`, { expect: 200 });
  await client.send('PUT', `/v1/automations/${id}/status`, JSON.stringify({ status: 'archived' }), {
    headers: { 'Content-Type': 'application/json' },
    expect: 200,
  });
}

/** Reads the feed to its end with a reader, and deletes of it what is old. */
async function followFeed({ sql }: Database, storeId: string, database: TestDatabase): Promise<void> {
  const reader = { storeId, name: 'test', kinds: ['event', 'rejection', 'profile'] as const };
  await addFeedReader(sql, reader);
  await database.query(`insert into addition (store_id, first_id, last_id, kind, ids, added_at)
    select '${storeId}', id, id, 'profile', array[id], now() - interval '30 days' from profile limit 1`);
  while (await readNext(sql, reader, { items: 100, bytes: 1_000_000 }, async () => {}));
  await deleteOldAdditions(sql, KEPT_MS);
  await deleteOldAnswers(sql);
  await removeFeedReader(sql, reader, async () => true);
}

/** Has a link followed, and orders placed and refunded afterwards. */
async function creditOrders({ sql }: Database, storeId: string, database: TestDatabase): Promise<void> {
  await addFeedReader(sql, { storeId, name: READER });
  await database.query(`
    update event e set properties = '{"order_id": "A-1", "value": 1}',
      event_type = case n when 1 then 'email_clicked' when 2 then 'placed_order' else 'refunded_order' end,
      source = json_build_object('message', json_build_object('id', (select id from message where store_id = e.store_id limit 1)))
    from (select id, row_number() over (order by id) as n from event where store_id = '${storeId}' limit 3) k
    where e.store_id = '${storeId}' and e.id = k.id`);
  await database.query(`insert into addition (store_id, first_id, last_id, kind, ids)
    select '${storeId}', min(id::text)::uuid, max(id::text)::uuid, 'event', array_agg(id order by id) from event
    where store_id = '${storeId}' and properties ->> 'order_id' = 'A-1'`);
  const read = () => readChanges(sql, storeId, createLog('silent'));
  while (await read());
  const credited = await database.query(`select from attribution where store_id = '${storeId}'`);
  expect(credited).to.have.length(1);
  await followOrders(sql, storeId);
  for (const table of ['message_touch', 'message_hit']) await database.query(`delete from ${table}`);
  await read();
}

/** Makes orders of what is there, and once more by other settings. */
async function followOrders(db: Sql, storeId: string): Promise<void> {
  await followingOfOrders().run(db, performance.now() + 1_000);
  for (const placedTypes of [['placed_order'], ['placed_order', 'sold']]) {
    await changeOrderSettings(db, storeId, { placedTypes });
    await findUnready(db);
    while (await readOrders(db, storeId));
  }
  expect(await findOrder(db, storeId, 'A-1')).to.include({ id: 'A-1' });
}

/** Makes rows of automations that are too old, and has them deleted. */
async function keepAutomationsSmall({ sql }: Database, storeId: string, database: TestDatabase): Promise<void> {
  const run = `'${storeId}', '${OLD}', '${OLD}', 1, '${OLD}', 'old', '{}', '{}', 0, 'ended', 'a', 1, '{}', 0`;
  await database.query(`insert into automation_run (store_id, id, automation_id, version, profile_id, trigger_id, origin,
    captured, depth, status, step_id, seq, consumed, attempts, started_at, ended_at)
    values (${run}, '2017-03-01Z', '2017-03-01Z')`);
  await database.query(
    `insert into automation_skip values ('${storeId}', '${OLD}', 'a', '${OLD}', 'b', '{}', '2017-03-01Z')`,
  );
  await database.query(`insert into automation_occurrence
    values ('${storeId}', '${OLD}', '2017-03-01', '2017-03-01Z', 1, 'UTC', 'done', 'list', '${OLD}', '${OLD}', 0,
      '2017-03-01Z', '2017-03-01Z')`);
  await database.query(`insert into profile_change values ('${storeId}', '${OLD}', '${OLD}', '{}', 0, '2017-03-01Z')`);
  await deleteOldOfAutomations(sql, 90, performance.now() + 60_000);
}

/** Drops a partition of a month to come, for the service to create. */
async function dropLastPartition(database: TestDatabase): Promise<void> {
  const [last] = await database.query<{ name: string }>(`
    select relname as name from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'event'::regclass order by 1 desc limit 1`);
  await database.query(`drop table ${last?.name}`);
}

/** Imports a file, with a row that is refused, into a list; and opens one import more. */
async function importCustomers(client: Client): Promise<void> {
  const { body: list } = await client.post('/v1/lists', { name: 'Imported' }, { expect: 201 });
  const consent = { email: 'subscribed', changed_at: '2026-01-01T00:00:00Z' };
  const mapping = [{ column: 'email', identifier: 'email' }];
  const input = { mapping, consent, list_ids: [list.id], idempotency_key: 'file' };
  const { body } = await client.post('/v1/imports', input, { expect: 201 });
  const headers = { 'Content-Type': 'application/json' };
  const part = JSON.stringify({ text: 'email\nada@example.com\nnobody\n' });
  await client.send('PUT', `/v1/imports/${body.id}/parts/1`, part, { headers, expect: 200 });
  await client.post(`/v1/imports/${body.id}/start`, {}, { expect: 202 });
  await until(async () => (await client.get(`/v1/imports/${body.id}`)).body.ended_at !== null, 'the import has ended');
  await client.post('/v1/imports', {}, { expect: 201 });
}

/** Makes a month of long ago, with an event and its key, and jobs that have expired. */
async function age(database: TestDatabase, storeId: string): Promise<void> {
  await database.query(`create table event_2017_03 partition of event
    for values from ('015a872a-9800-0000-0000-000000000000') to ('015b26cf-bc00-0000-0000-000000000000')`);
  await database.query(`insert into idempotency_key (store_id, scope, key, event_id)
    values ('${storeId}', '', 'old', '${OLD}')`);
  await database.query('update import_job set expires_at = now(); update customer_import set expires_at = now()');
}

/** Has an image opened by somebody without a key. */
async function showImage(client: Client, url: string): Promise<void> {
  const image = { name: 'dot.gif', data: DOT.toString('base64') };
  const { body } = await client.post('/v1/images', image, { expect: 201 });
  expect((await fetch(new URL(new URL(body.url).pathname, url))).status).to.equal(200);
}
