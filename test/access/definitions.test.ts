import { expect } from 'chai';
import { SCOPES, type Scope } from '../../src/domain/caller.ts';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const END = { id: 'end', type: 'exit' };
const DEFINITION = { name: 'Any', trigger: { type: 'manual' }, start: 'end', steps: [END] };

/** What a definition reads needs scopes: counts, runs and messages would tell it. */
describe('Whoever defines what is read', () => {
  let service: TestService;
  let owner: Client;
  let storeId: string;
  let list: string;
  let segment: string;

  before(async () => {
    service = await TestService.start();
    const created = await service.newKey();
    storeId = created.storeId;
    owner = (await service.client()).as(created.key);
    list = (await owner.post<any>('/v1/lists', { name: 'One' }, { expect: 201 })).body.id;
    const known = { name: 'Known', definition: { identifier: 'email' } };
    segment = (await owner.post<any>('/v1/segments', known, { expect: 201 })).body.id;
  });
  after(() => service.stop());

  async function without(...lacking: Scope[]): Promise<Client> {
    const { key } = await service.newKey({ storeId, scopes: SCOPES.filter((scope) => !lacking.includes(scope)) });
    return owner.as(key);
  }
  const send = (client: Client, method: string, path: string, body: object | undefined) =>
    client.send<any>(method, path, body && JSON.stringify(body), { headers: JSON_TYPE });
  async function refused(
    client: Client,
    method: string,
    path: string,
    body: object | undefined,
    scope: Scope,
  ): Promise<void> {
    let { status, body: answer } = await send(client, method, path, body);
    // A simulation is told to come again as long as its thread has not begun.
    while (status === 502) ({ status, body: answer } = await send(client, method, path, body));
    expect([status, answer.error?.code], `${method} ${path} ${JSON.stringify(body)}`).to.deep.equal([403, 'forbidden']);
    expect(answer.error.message).to.include(scope);
  }

  it('in a segment needs the scopes of that', async () => {
    const ssn = { attribute: { name: 'ssn', op: 'starts_with', value: '7' } };
    const leaves: [object, Scope][] = [
      [{ event: { type: 'placed_order' } }, 'events:read'],
      [{ profile: { time: 'last_event_at', window: { last: '30d' } } }, 'events:read'],
      [{ profile: { time: 'created_at', window: { last: '30d' } } }, 'profiles:read'],
      [ssn, 'profiles:read'],
      [{ identifier: 'phone' }, 'profiles:read'],
      [{ consent: { channel: 'email', status: 'subscribed' } }, 'profiles:read'],
      [{ list }, 'audiences:read'],
      [{ segment }, 'profiles:read'],
      [{ segment: segment.toUpperCase() }, 'audiences:read'],
      [{ all: [{ list }, { any: [{ not: ssn }] }] }, 'profiles:read'],
    ];
    const { body: own } = await owner.post<any>('/v1/segments', { name: 'S', definition: ssn }, { expect: 201 });
    for (const [definition, scope] of leaves) {
      const client = await without(scope);
      await refused(client, 'POST', '/v1/segments', { name: 'S', definition }, scope);
      await refused(client, 'PUT', `/v1/segments/${own.id}`, { revision: 1, name: 'S', definition }, scope);
      await refused(client, 'POST', '/v1/segments/preview', { definition }, scope);
    }
    const { body: named } = await owner.post<any>('/v1/segments', { name: 'N', definition: { list } }, { expect: 201 });
    const { body: between } = await owner.post<any>(
      '/v1/segments',
      { name: 'B', definition: { all: [{ segment: named.id }, { list }] } },
      { expect: 201 },
    );
    const reader = await without('profiles:read');
    const change = (revision: number) => ({ revision, name: 'N', definition: { not: { list } } });
    await reader.send('PUT', `/v1/segments/${named.id}`, JSON.stringify({ ...change(1), definition: { list } }), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    await owner.post(
      '/v1/segments',
      { name: 'D', definition: { all: [{ segment: between.id }, ssn] } },
      { expect: 201 },
    );
    await refused(reader, 'PUT', `/v1/segments/${named.id}`, change(2), 'profiles:read');
    const needless = await without('events:read');
    await needless.post('/v1/segments', { name: 'S', definition: ssn }, { expect: 201 });
  });

  it('in an automation needs the scopes of that', async () => {
    const attribute = { attribute: 'ssn', op: 'starts_with', value: '7' };
    const step = (fields: object) => ({ start: 'do', steps: [{ id: 'do', next: null, ...fields }] });
    const parts: [object, Scope][] = [
      [{ trigger: { type: 'event', event_type: 'placed_order' } }, 'events:read'],
      [{ trigger: { type: 'profile_change', attribute: 'tier' } }, 'profiles:read'],
      [{ trigger: { type: 'date', attribute: 'birthday', repeat: 'yearly', at: '09:00' } }, 'profiles:read'],
      [{ trigger: { type: 'segment_entry', segment } }, 'audiences:read'],
      [{ trigger: { type: 'segment_exit', segment } }, 'profiles:read'],
      [{ trigger: { type: 'list_joined', list } }, 'audiences:read'],
      [{ trigger: { type: 'list_left', list } }, 'profiles:read'],
      [{ trigger: { type: 'consent_given', channel: 'email' } }, 'profiles:read'],
      [{ trigger: { type: 'consent_withdrawn', channel: 'sms' } }, 'profiles:read'],
      [{ trigger: { type: 'schedule', list, repeat: 'daily', at: '09:00' } }, 'audiences:read'],
      [{ trigger: { type: 'schedule', segment, repeat: 'daily', at: '09:00' } }, 'profiles:read'],
      [{ goal: { event_type: 'placed_order', within: 'P7D' } }, 'events:read'],
      [{ key: { property: 'cart_id' } }, 'events:read'],
      [{ time_zone: { attribute: 'zone', default: 'UTC' } }, 'profiles:read'],
      [{ entry_condition: attribute }, 'profiles:read'],
      [{ entry_condition: { all: [{ list }, { not: attribute }] } }, 'profiles:read'],
      [{ entry_condition: { list } }, 'audiences:read'],
      [{ entry_condition: { segment } }, 'profiles:read'],
      [{ entry_condition: { identifier: 'email', op: 'exists' } }, 'profiles:read'],
      [{ entry_condition: { property: 'total', op: 'gt', value: 7 } }, 'events:read'],
      [{ exit_when: { consent: { channel: 'email', status: 'unsubscribed' } } }, 'profiles:read'],
      [{ exit_when: { did: { event_type: 'placed_order' } } }, 'events:read'],
      [{ exit_on: [{ event_type: 'placed_order' }] }, 'events:read'],
      [step({ type: 'set_profile', set: { copy: { from: 'profile.attributes.ssn' } } }), 'profiles:read'],
      [
        step({ type: 'emit_event', event_type: 'seen', properties: { a: [{ from: 'event.properties.x' }] } }),
        'events:read',
      ],
      [step({ type: 'send_webhook', endpoint_id: list, message_type: 'm', include: ['profile'] }), 'profiles:read'],
      [step({ type: 'send_webhook', endpoint_id: list, message_type: 'm', include: ['event'] }), 'events:read'],
    ];
    const { body: own } = await owner.post<any>('/v1/automations', { definition: DEFINITION }, { expect: 201 });
    for (const [fields, scope] of parts) {
      const definition = { ...DEFINITION, ...fields };
      const client = await without(scope);
      await refused(client, 'POST', '/v1/automations', { definition }, scope);
      await refused(client, 'PUT', `/v1/automations/${own.id}`, { revision: 1, definition }, scope);
    }
    const least = await without('events:read', 'profiles:read', 'audiences:read');
    await least.post('/v1/automations', { definition: DEFINITION }, { expect: 201 });
  });

  it('cannot publish, preview, simulate or explain what others have defined, either', async () => {
    await owner.post('/v1/profiles/upsert', { identifiers: { email: 'ada@example.com' } });
    const definition = { ...DEFINITION, entry_condition: { list } };
    const { body } = await owner.post<any>('/v1/automations', { definition }, { expect: 201 });
    const path = `/v1/automations/${body.id}`;
    const client = await without('audiences:read');
    await refused(client, 'POST', `${path}/publish`, { revision: 1 }, 'audiences:read');
    await owner.post(`${path}/publish`, { revision: 1 }, { expect: 200 });
    await refused(client, 'POST', `${path}/publish`, { revision: 1 }, 'audiences:read');
    const made = { profile: { email: 'ada@example.com' } };
    for (const version of [undefined, 1]) {
      await refused(client, 'POST', `${path}/simulate`, { ...made, version }, 'audiences:read');
    }
    for (const read of ['preview', `explanation?profile_id=${list}`]) {
      await refused(client, 'GET', `${path}/${read}`, undefined, 'audiences:read');
    }
  });

  it('cannot publish steps that do what they may not', async () => {
    const steps = (fields: object) => ({ start: 'do', steps: [{ id: 'do', next: null, ...fields }] });
    for (const [fields, scope] of [
      [{ type: 'add_to_list', list }, 'audiences:write'],
      [{ type: 'remove_from_list', list }, 'audiences:write'],
      [{ type: 'subscribe', channel: 'email' }, 'profiles:write'],
      [{ type: 'unsubscribe', channel: 'sms', list }, 'profiles:write'],
    ] as const) {
      const definition = { ...DEFINITION, ...steps(fields) };
      const { body } = await owner.post<any>('/v1/automations', { definition }, { expect: 201 });
      await refused(await without(scope), 'POST', `/v1/automations/${body.id}/publish`, { revision: 1 }, scope);
    }
  });

  it('cannot resume what they could not publish, and can stop it', async () => {
    const steps = [{ id: 'tag', type: 'set_profile', set: { tagged: true }, next: null }];
    const { body } = await owner.post<any>(
      '/v1/automations',
      { definition: { ...DEFINITION, entry_condition: { list }, start: 'tag', steps } },
      { expect: 201 },
    );
    const path = `/v1/automations/${body.id}`;
    await owner.post(`${path}/publish`, { revision: 1 }, { expect: 200 });
    const set = (client: Client, status: string) => send(client, 'PUT', `${path}/status`, { status });
    for (const scope of ['profiles:write', 'audiences:read'] as const) {
      const client = await without(scope);
      for (const [less, more] of [
        ['paused', 'live'],
        ['paused', 'draining'],
        ['draining', 'live'],
      ] as const) {
        expect((await set(client, less)).status, `${less} without ${scope}`).to.equal(200);
        await refused(client, 'PUT', `${path}/status`, { status: more }, scope);
        expect((await set(client, less)).status, 'as it is').to.equal(200);
        expect((await set(owner, 'live')).status).to.equal(200);
      }
    }
    const stopping = await without('profiles:write', 'audiences:read');
    for (const status of ['draining', 'paused', 'archived']) expect((await set(stopping, status)).status).to.equal(200);
  });
});
