import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { SCOPES } from '../../src/domain/caller.ts';
import { holdRows } from '../support/obstacles.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Merchant, RECEIVABLE } from './support/merchant.ts';
import { type Received, Receiver } from './support/receiver.ts';

const ADA = { email: 'ada@example.com' };

describe('The step send_webhook', () => {
  let service: TestService;
  let merchant: Merchant;
  let receiver: Receiver;

  before(async () => {
    service = await TestService.start(RECEIVABLE);
  });
  beforeEach(async () => {
    merchant = await Merchant.open(service);
    receiver = await Receiver.start();
  });
  afterEach(() => receiver[Symbol.asyncDispose]());
  after(() => service.stop());

  const post = (path: string, body: object) => merchant.client.post<any>(path, body);

  async function draft(endpoint: string, step: object = {}, more: object = {}): Promise<string> {
    const definition = {
      name: 'Test',
      trigger: { type: 'manual' },
      start: 'send',
      steps: [
        {
          id: 'send',
          type: 'send_webhook',
          endpoint_id: endpoint,
          message_type: 'cart.abandoned',
          next: null,
          ...step,
        },
      ],
      ...more,
    };
    return (await merchant.client.post<any>('/v1/automations', { definition }, { expect: 201 })).body.id;
  }

  async function publish(endpoint: string, step: object = {}, more: object = {}): Promise<string> {
    const id = await draft(endpoint, step, more);
    await merchant.client.post(`/v1/automations/${id}/publish`, { revision: 1 }, { expect: 200 });
    return id;
  }

  /** Starts a run for Ada; returns its id. */
  async function enrol(automation: string, properties: object = {}): Promise<string> {
    await post('/v1/profiles/upsert', { identifiers: ADA, attributes: { first_name: 'Ada', big: 2 ** 53 - 1 } });
    const { body } = await post(`/v1/automations/${automation}/runs`, { profile: ADA, properties });
    return body.run.id;
  }

  const run = async (id: string) => (await merchant.client.get<any>(`/v1/runs/${id}`)).body;
  const outcomes = async (id: string) => (await run(id)).timeline.map(({ outcome }: any) => outcome);
  const untilEnded = async (id: string) => {
    await until(async () => (await run(id)).status !== 'active', 'the run has ended');
    return run(id);
  };

  it('sends what it refers to, signed, and goes on at once', async () => {
    const { id, secret } = await merchant.endpoint(receiver.url);
    const automation = await publish(id, {
      data: {
        name: { from: 'profile.attributes.first_name' },
        cart: { from: 'event.properties.cart' },
        fixed: [1, null],
      },
      include: ['profile'],
    });
    const runId = await enrol(automation, { cart: { id: 7 } });
    await untilEnded(runId);
    expect(await outcomes(runId)).to.deep.equal(['started', 'delivery_queued', 'ended']);
    await until(() => Promise.resolve(receiver.received.length === 1), 'it is received');
    const { body, headers } = receiver.received[0] as Received;
    const message = new Webhook(secret).verify(body, headers as Record<string, string>) as any;
    const { profile, timestamp, ...rest } = message;
    expect(rest).to.deep.equal({
      type: 'cart.abandoned',
      data: { name: 'Ada', cart: { id: 7 }, fixed: [1, null] },
      automation: { id: automation, version: 1, run_id: runId, step_id: 'send' },
    });
    expect(profile.attributes).to.deep.equal({ first_name: 'Ada', big: 2 ** 53 - 1 });
    expect(profile.identifiers.email).to.equal('ada@example.com');
    expect(new Date(timestamp).toISOString()).to.equal(timestamp);
    const [delivery] = await merchant.deliveries(id);
    expect(delivery).to.include({ run_id: runId, message_type: 'cart.abandoned', id: headers['webhook-id'] });
    expect((await run(runId)).timeline[1].detail.delivery_id).to.equal(delivery.id);
  });

  it('includes the event that triggered', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    await publish(id, { include: ['event'] }, { trigger: { type: 'event', event_type: 'checkout' } });
    const event = { event_type: 'checkout', profile: ADA, properties: { value: 20, deep: { a: [1] } } };
    const { body } = await post('/v1/events', event);
    await until(() => Promise.resolve(receiver.received.length === 1), 'it is received');
    const message = JSON.parse(receiver.received[0]?.body ?? '');
    const { id: eventId, event_type, occurred_at, properties } = body;
    expect(message.event).to.deep.equal({ id: eventId, event_type, occurred_at, properties });
    expect(message).not.to.have.property('profile');
  });

  it('waits for what becomes of it, where it is to', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    let answer = () => {};
    receiver.respond = (response) => {
      answer = () => response.writeHead(200).end();
    };
    const runId = await enrol(await publish(id, { await: true }));
    await until(() => Promise.resolve(receiver.received.length === 1), 'it is received');
    expect(await run(runId)).to.deep.include({ status: 'active', due_at: null });
    expect((await run(runId)).waiting.for).to.equal('delivery');
    answer();
    await untilEnded(runId);
    expect(await outcomes(runId)).to.deep.equal(['started', 'delivery_queued', 'delivered', 'ended']);
  });

  it('records what becomes of deliveries whose run can not go on, and of all others', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    const answers: (() => void)[] = [];
    receiver.respond = (response) => answers.push(() => response.writeHead(200).end());
    const faulty = await enrol(await publish(id, { await: true }));
    const fine = await enrol(await publish(id, { await: true }));
    await until(() => Promise.resolve(answers.length === 2), 'both are received');
    await merchant.query(`update automation_run set step_id = 'gone' where store_id = $store and id = '${faulty}'`);
    for (const answer of answers) answer();
    await untilEnded(fine);
    await merchant.untilAll(id, 'delivered');
    const { timeline } = await run(faulty);
    expect(timeline.at(-1)).to.deep.include({ outcome: 'attempt_failed' });
    expect(receiver.received).to.have.length(2);
  });

  it('records what becomes of deliveries beside one whose run is locked', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    const answers: (() => void)[] = [];
    receiver.respond = (response) => answers.push(() => response.writeHead(200).end());
    const start = async () => enrol(await publish(id, { await: true }));
    const [locked, ...others] = [await start(), await start(), await start()];
    await until(() => Promise.resolve(answers.length === 3), 'all are received');
    const release = await holdRows(service.database, 'automation_run', `id = '${locked}'`);
    try {
      for (const answer of answers) answer();
      for (const other of others) await untilEnded(other);
      // No less so what ends later.
      receiver.respond = (response) => response.writeHead(200).end();
      await untilEnded(await start());
      expect((await run(locked)).status).to.equal('active');
    } finally {
      await release();
    }
    await untilEnded(locked);
    await merchant.untilAll(id, 'delivered');
    expect(receiver.received).to.have.length(4);
  });

  it('goes on or ends where it is not received in time', async () => {
    receiver.respond = (response) => response.writeHead(500).end();
    const { id } = await merchant.endpoint(receiver.url);
    for (const [on_failure, reason] of [
      ['continue', 'completed'],
      ['exit', 'delivery_failed'],
    ]) {
      const runId = await enrol(await publish(id, { await: true, on_failure, expires_after: 'PT3S' }));
      const { timeline, ...ended } = await untilEnded(runId);
      expect(ended.reason).to.equal(reason);
      expect(timeline[2]).to.deep.include({ outcome: 'delivery_failed', detail: { result: 'expired', next: null } });
    }
  });

  it('is held where its endpoint is disabled after the publication; a run does not wait for ever', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    const automation = await publish(id, { await: true });
    await merchant.change(id, { url: receiver.url, status: 'disabled' });
    const { timeline } = await untilEnded(await enrol(automation));
    expect(timeline[2]).to.deep.include({ outcome: 'delivery_failed', detail: { result: 'failed', next: null } });
    expect((await merchant.deliveries(id))[0].status).to.equal('held');
    expect(receiver.connections).to.equal(0);
  });

  it('fails where it is too large, or its endpoint is deleted, and takes nobody else along', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    const large = await publish(id, { include: ['profile'] });
    const small = await publish(id);
    const text = 'x'.repeat(100_000);
    await post('/v1/profiles/upsert', { identifiers: ADA, attributes: { a: text, b: text, c: text } });
    const failing = await enrol(large);
    await untilEnded(await enrol(small));
    await until(async () => (await outcomes(failing)).includes('failed'), 'the run fails at once');
    const codes = async (runId: string) =>
      (await run(runId)).timeline.flatMap(({ outcome, detail }: any) =>
        outcome === 'failed' || outcome === 'attempt_failed' ? detail.code : [],
      );
    expect(await codes(failing)).to.deep.equal(['message_too_large']);
    await merchant.query('update webhook_endpoint set deleted_at = now() where store_id = $store');
    const orphan = await enrol(small);
    await until(async () => (await outcomes(orphan)).includes('failed'), 'the run fails at once');
    expect(await codes(orphan)).to.deep.equal(['endpoint_deleted']);
  });

  it('can be published only with an endpoint of the store that takes something', async () => {
    const stranger = await (await Merchant.open(service)).endpoint(receiver.url);
    const deleted = await merchant.endpoint(receiver.url);
    await merchant.client.send('DELETE', `/v1/webhook-endpoints/${deleted.id}`, undefined);
    const disabled = await merchant.endpoint(receiver.url);
    await merchant.query(
      `update webhook_endpoint set disabled_at = now(), disabled_reason = 'gone' where id = '${disabled.id}' and store_id = $store`,
    );
    for (const { id } of [stranger, deleted, disabled, { id: '' }, { id: 'mailer' }]) {
      const automation = await draft(id);
      const { status, body } = await post(`/v1/automations/${automation}/publish`, { revision: 1 });
      expect([status, body.error.field]).to.deep.equal([400, 'steps[0].endpoint_id']);
    }
  });

  it('needs webhooks:manage to be published, also again, but not to enrol a customer', async () => {
    const { key } = await service.newKey({
      storeId: merchant.storeId,
      scopes: SCOPES.filter((scope) => scope !== 'webhooks:manage'),
    });
    const limited = merchant.client.as(key);
    const { id } = await merchant.endpoint(receiver.url);
    const automation = await draft(id);
    const refuse = async () => {
      const { body } = await limited.post<any>(
        `/v1/automations/${automation}/publish`,
        { revision: 1 },
        { expect: 403 },
      );
      expect(body.error.message).to.include('webhooks:manage');
    };
    await refuse();
    expect((await merchant.client.get<any>(`/v1/automations/${automation}`)).body.status).to.equal('draft');
    await merchant.client.post(`/v1/automations/${automation}/publish`, { revision: 1 }, { expect: 200 });
    await refuse();
    await post('/v1/profiles/upsert', { identifiers: ADA, attributes: {} });
    await limited.post(`/v1/automations/${automation}/runs`, { profile: ADA }, { expect: 201 });
    await until(() => Promise.resolve(receiver.received.length === 1), 'it is received');
  });

  it('keeps its endpoint from being deleted', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    const automation = await publish(id);
    const remove = () => merchant.client.send<any>('DELETE', `/v1/webhook-endpoints/${id}`, undefined);
    expect((await remove()).body.error.message).to.equal(
      `The endpoint is used by version 1 of the automation ${automation} (Test); change or archive that first`,
    );
    const status = JSON.stringify({ status: 'archived' });
    await merchant.client.send('PUT', `/v1/automations/${automation}/status`, status, {
      headers: { 'Content-Type': 'application/json' },
    });
    expect((await remove()).status).to.equal(200);
  });

  it('keeps it as long as runs are on an earlier version that sends to it', async () => {
    const [{ id }, { id: next }] = [await merchant.endpoint(receiver.url), await merchant.endpoint(receiver.url)];
    const wait = { id: 'wait', type: 'delay', for: 'P1D', next: 'send' };
    const send = (endpoint_id: string) => ({
      id: 'send',
      type: 'send_webhook',
      endpoint_id,
      message_type: 'm',
      next: null,
    });
    const definition = (endpoint: string) => ({
      name: 'Test',
      trigger: { type: 'manual' },
      start: 'wait',
      steps: [wait, send(endpoint)],
    });
    const input = { definition: definition(id) };
    const { body: automation } = await merchant.client.post<any>('/v1/automations', input, { expect: 201 });
    const path = `/v1/automations/${automation.id}`;
    await merchant.client.post(`${path}/publish`, { revision: 1 }, { expect: 200 });
    const runId = await enrol(automation.id);
    const draft = JSON.stringify({ definition: definition(next), revision: 1 });
    const json = { headers: { 'Content-Type': 'application/json' }, expect: 200 };
    await merchant.client.send('PUT', path, draft, json);
    await merchant.client.post(`${path}/publish`, { revision: 2, in_flight: 'keep' }, { expect: 200 });
    const remove = () => merchant.client.send<any>('DELETE', `/v1/webhook-endpoints/${id}`, undefined);
    const refusal = await remove();
    expect([refusal.status, refusal.body.error?.code]).to.deep.equal([400, 'validation_error']);
    await merchant.client.send('POST', `/v1/runs/${runId}/exit`, undefined, { expect: 200 });
    await until(async () => (await remove()).status === 200, 'nothing sends to it any more');
  });
});
