import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Merchant, RECEIVABLE } from './support/merchant.ts';
import { type Received, Receiver } from './support/receiver.ts';

const ADA = { email: 'ada@example.com' };

describe('The step call_webhook', () => {
  let service: TestService;
  let merchant: Merchant;
  let receiver: Receiver;
  let requests: { method: string | undefined; url: string | undefined }[];

  before(async () => {
    service = await TestService.start(RECEIVABLE);
  });
  beforeEach(async () => {
    merchant = await Merchant.open(service);
    receiver = await Receiver.start();
    requests = [];
    answerWith(200, {});
  });
  afterEach(() => receiver[Symbol.asyncDispose]());
  after(() => service.stop());

  function answerWith(status: number, json: unknown): void {
    receiver.respond = (response, _, { method, url }) => {
      requests.push({ method, url });
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    };
  }

  const post = (path: string, body: object) => merchant.client.post<any>(path, body);

  const call = (endpoint: string, step: object = {}) => ({
    id: 'score',
    type: 'call_webhook',
    endpoint_id: endpoint,
    next: null,
    ...step,
  });

  async function draft(steps: object[], more: object = {}): Promise<string> {
    const definition = { name: 'Test', trigger: { type: 'manual' }, start: 'score', steps, ...more };
    return (await merchant.client.post<any>('/v1/automations', { definition }, { expect: 201 })).body.id;
  }

  async function publish(...steps: object[]): Promise<string> {
    const id = await draft(steps);
    await merchant.client.post(`/v1/automations/${id}/publish`, { revision: 1 }, { expect: 200 });
    return id;
  }

  async function problemsOf(...steps: object[]): Promise<string[]> {
    const { body } = await merchant.client.get<any>(`/v1/automations/${await draft(steps)}`);
    return body.problems.map(({ field, message }: any) => message.replace(`${field} `, `${field}: `));
  }

  async function enrol(automation: string, properties: object = {}): Promise<string> {
    await post('/v1/profiles/upsert', { identifiers: ADA, attributes: { first_name: 'Ada & Bea', tags: ['new'] } });
    const { body } = await post(`/v1/automations/${automation}/runs`, { profile: ADA, properties });
    return body.run.id;
  }

  const run = async (id: string) => (await merchant.client.get<any>(`/v1/runs/${id}`)).body;
  const untilEnded = async (id: string) => {
    await until(async () => (await run(id)).status !== 'active', 'the run has ended');
    return run(id);
  };
  const detailOf = ({ timeline }: any, outcome: string) => timeline.find((one: any) => one.outcome === outcome)?.detail;
  const ada = async () => {
    const { body } = await post('/v1/profiles/upsert', { identifiers: ADA });
    return body.profile?.attributes ?? body.attributes;
  };

  it('sends a request of one’s own to the host of the endpoint, with its secret headers, signed', async () => {
    const secret_headers = [{ name: 'Authorization', value: 'Bearer top' }];
    const { id, secret } = await merchant.endpoint(`${receiver.url}/base?x=1`, { secret_headers });
    const automation = await publish(
      call(id, {
        method: 'PUT',
        path: '/v1/contacts/{{ profile.attributes.first_name }}?cart={{ event.properties.cart }}&x=a b',
        headers: { 'X-Name': 'Für {{ profile.attributes.first_name }}\n' },
        body: {
          json: {
            text: { liquid: 'Hello {{ profile.attributes.first_name }}!' },
            cart: { from: 'event.properties.cart' },
            tags: { compute: { append_new: [{ from: 'profile.attributes.tags' }, 'gold', 'new'] } },
          },
        },
      }),
    );
    const ended = await untilEnded(await enrol(automation, { cart: '../7' }));
    expect(ended.reason).to.equal('completed');
    expect(requests).to.deep.equal([{ method: 'PUT', url: '/v1/contacts/Ada%20%26%20Bea?cart=..%2F7&x=a%20b' }]);
    const { headers, body } = receiver.received[0] as Received;
    expect(JSON.parse(body)).to.deep.equal({ text: 'Hello Ada & Bea!', cart: '../7', tags: ['new', 'gold'] });
    expect(headers).to.include({ authorization: 'Bearer top', 'content-type': 'application/json' });
    expect(Buffer.from(headers['x-name'] as string, 'latin1').toString()).to.equal('Für Ada & Bea');
    new Webhook(secret).verify(body, headers as Record<string, string>);
    const [listed] = await merchant.deliveries(id);
    expect(listed).to.include({ message_type: 'webhook.call', status: 'delivered' });
    const delivery = await merchant.delivery(listed.id);
    expect(delivery.request).to.deep.include({ method: 'PUT', signed: true });
    expect(JSON.stringify(delivery)).not.to.include('Bearer');
    expect(detailOf(ended, 'delivered')).to.include({ status: 200 });
  });

  it('sends forms, texts, and nothing; without a signature, too', async () => {
    const { id } = await merchant.endpoint(`${receiver.url}/base`);
    const form = {
      name: { from: 'profile.attributes.first_name' },
      tag: { from: 'profile.attributes.tags' },
      no: null,
    };
    await untilEnded(await enrol(await publish(call(id, { body: { form }, signed: false }))));
    const text = '<n>{{ profile.attributes.first_name }}</n>';
    await untilEnded(await enrol(await publish(call(id, { body: { text, content_type: 'application/xml' } }))));
    await untilEnded(await enrol(await publish(call(id, { method: 'GET' }))));
    const [first, second, third] = receiver.received as [Received, Received, Received];
    expect(first.body).to.equal('name=Ada+%26+Bea&tag=new');
    expect(first.headers).not.to.have.any.keys('webhook-signature', 'webhook-timestamp');
    expect(first.headers).to.have.property('webhook-id');
    expect(second.headers['content-type']).to.equal('application/xml');
    expect(second.body).to.equal('<n>Ada &amp; Bea</n>');
    expect(third.headers).not.to.have.any.keys('content-type', 'content-length');
    expect(requests.at(-1)).to.deep.equal({ method: 'GET', url: '/hook/base' });
  });

  it('lets later steps use the answer', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    answerWith(201, { tier: 'gold', points: [{ n: 40 }], other: 'x'.repeat(20_000) });
    const automation = await publish(
      call(id, { next: 'which' }),
      {
        id: 'which',
        type: 'branch',
        cases: [{ when: { from: 'steps.score.answer.tier', op: 'eq', value: 'gold' }, next: 'set' }],
        else: null,
      },
      {
        id: 'set',
        type: 'set_profile',
        set: {
          status: { from: 'steps.score.status' },
          total: {
            compute: { add: [{ from: 'steps.score.answer.points.0.n' }, { from: 'profile.attributes.none' }, 2] },
          },
          text: { liquid: '{{ steps.score.answer.tier | upcase }}' },
          none: { from: 'steps.score.answer.nothing' },
          tags: { compute: { add: [{ from: 'profile.attributes.tags' }, 1] } },
          long: { from: 'steps.score.answer.other' },
        },
        next: null,
      },
    );
    await untilEnded(await enrol(automation));
    const attributes = await ada();
    expect(attributes).to.deep.include({ status: 201, total: 42, text: 'GOLD', tags: ['new'] });
    expect(attributes).not.to.have.any.keys('none', 'long');
  });

  it('ends at once where what it asks for is refused, which says nothing of the endpoint', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    answerWith(404, { error: 'unknown' });
    const steps = (more: object) => [
      call(id, { next: 'set', ...more }),
      {
        id: 'set',
        type: 'set_profile',
        set: { status: { from: 'steps.score.status' }, error: { from: 'steps.score.answer.error' } },
        next: null,
      },
    ];
    const ended = await untilEnded(await enrol(await publish(...steps({}))));
    expect(detailOf(ended, 'delivery_failed')).to.include({ result: 'failed', status: 404, next: 'set' });
    expect(await ada()).to.include({ status: 404, error: 'unknown' });
    const exited = await untilEnded(await enrol(await publish(...steps({ on_failure: 'exit' }))));
    expect(exited.reason).to.equal('delivery_failed');
    expect(await merchant.health(id)).to.include({ failures: 0, status: 'active' });
    expect(receiver.received).to.have.length(2);
  });

  it('waits through failures, and goes on once with the answer', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    answerWith(500, {});
    const runId = await enrol(await publish(call(id)));
    const hasFailed = async () => {
      const [queued] = await merchant.deliveries(id);
      return queued?.status === 'pending' && (await merchant.delivery(queued.id)).attempts.length === 1;
    };
    await until(hasFailed, 'the first attempt has failed');
    expect(await run(runId)).to.deep.include({ status: 'active', due_at: null });
    answerWith(200, {});
    await merchant.hasten();
    const { timeline } = await untilEnded(runId);
    expect(timeline.map(({ outcome }: any) => outcome)).to.deep.equal([
      'started',
      'delivery_queued',
      'delivered',
      'ended',
    ]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).to.have.length(2);
    expect(new Set(ids).size).to.equal(1);
  });

  it('takes what is no JSON, or too large, for no answer', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    const bodies = [
      '<html>',
      `${'['.repeat(50)}${']'.repeat(50)}`,
      `"${'x'.repeat(70_000)}"`,
      '{"n": 1e999, "t": "\\u0000"}',
    ];
    const automation = await publish(call(id, { next: 'set' }), {
      id: 'set',
      type: 'emit_event',
      event_type: 'scored',
      properties: { all: { from: 'steps.score.answer' }, n: { from: 'steps.score.answer.n' } },
      next: null,
    });
    for (const body of bodies) {
      receiver.respond = (response) => response.writeHead(200).end(body);
      const ended = await untilEnded(await enrol(automation));
      expect(detailOf(ended, 'event_emitted').properties.n).to.equal(null);
    }
  });

  it('refuses paths by which a value would lead elsewhere', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    const automation = await publish(call(id, { path: '/v1/{{ event.properties.id | raw }}/x' }));
    for (const value of ['..', '%2e%2E', 'a\\b', 'a#b']) {
      const { status, reason } = await untilEnded(await enrol(automation, { id: value }));
      expect([status, reason]).to.deep.equal(['failed', 'invalid_path']);
    }
    await untilEnded(await enrol(automation, { id: '/other.example' }));
    expect(requests).to.deep.equal([{ method: 'POST', url: '/v1//other.example/x' }]);
  });

  it('names all that is wrong with a draft', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    expect(
      await problemsOf(
        call(id, {
          method: 'GET',
          path: 'https://other.example/{{ profile.nothing }}',
          headers: { Host: 'x', 'a b': 'y' },
          body: { text: '{% for a in b %}{% endfor %}', content_type: 'xml' },
          next: 'set',
        }),
        {
          id: 'set',
          type: 'set_profile',
          set: {
            a: { from: 'steps.score.body' },
            b: { from: 'steps.none.answer' },
            c: { liquid: '{{ a ' },
            d: { compute: { add: [1] } },
            e: { compute: { shuffle: [1] } },
            f: { compute: { append: ['text', 1] } },
            g: { compute: { subtract: [{ liquid: '1' }, 1] } },
            h: { liquid: 7 },
          },
          next: null,
        },
      ),
    ).to.have.members([
      'steps[0].path: must begin with /: the scheme and the host are those of the endpoint',
      'steps[0].headers.Host: is a header that the service sets itself',
      'steps[0].headers.a b: must be the name of a header, such as X-Shop',
      'steps[0].body: must be absent from a GET',
      'steps[0].body.content_type: must be a media type, such as application/xml',
      'steps[0].body.text: must have no {% for %} and no {% capture %}, which only templates of messages have',
      'steps[0].path: must be one of event.properties.…, event.id, event.event_type, event.occurred_at, profile.id, profile.identifiers.…, profile.attributes.…, coupon.code, coupon.pool_id, coupon.expires_at, steps.…, run.id or run.key',
      'steps[1].set.h.liquid: must be a text',
      'steps[1].set.c.liquid: can\'t be read as Liquid: Output "{{ a " not closed',
      'steps[1].set.d.compute.add: must be a list of 2 to 20 values',
      'steps[1].set.e.compute: must have one of add, subtract, multiply, divide, round, append, append_new, remove',
      'steps[1].set.f.compute.append[0]: must be a list',
      'steps[1].set.g.compute.subtract[0]: must be a number',
      'steps[1].set.a.from: must be answer.… or status of score',
      'steps[1].set.b.from: must name a step that there is, and none is none',
    ]);
  });

  it('keeps secret headers from everybody', async () => {
    const secret_headers = [{ name: 'X-Api-Key', value: 'hush' }];
    const { id } = await merchant.endpoint(receiver.url, { secret_headers });
    expect(await merchant.health(id)).to.deep.include({ secret_headers: [{ name: 'X-Api-Key' }] });
    const [row] = await merchant.query(
      `select secret_headers::text as text from webhook_endpoint where store_id = $store`,
    );
    expect(row.text).not.to.include('hush');
    await merchant.change(id, {
      url: receiver.url,
      secret_headers: [{ name: 'x-api-key' }, { name: 'B', value: 'b' }],
    });
    await merchant.client.post(`/v1/webhook-endpoints/${id}/test`, {}, { expect: 200 });
    expect(receiver.received[0]?.headers).to.include({ 'x-api-key': 'hush', b: 'b' });
    await merchant.change(id, { url: receiver.url });
    expect((await merchant.health(id)).secret_headers).to.deep.equal([]);
    const wrong = [{ name: 'Host', value: 'a' }, { name: 'C' }, { name: 'D', value: 'ü' }];
    const { body } = await post('/v1/webhook-endpoints', { url: receiver.url, name: 'T', secret_headers: wrong });
    expect(body.error).to.deep.include({ field: 'secret_headers[0].name' });
  });

  it('may carry what the event brought that ended a wait', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    const steps = [
      { id: 'score', type: 'wait', for: [{ event_type: 'paid', next: 'tell' }], timeout: 'P1D', on_timeout: null },
      {
        ...call(id),
        id: 'tell',
        body: {
          json: {
            order: { from: 'steps.score.event.properties.order' },
            type: { from: 'steps.score.event.event_type' },
          },
        },
      },
    ];
    const runId = await enrol(await publish(...steps));
    await until(async () => (await run(runId)).waiting?.for === 'wait', 'it waits');
    await post('/v1/events', { event_type: 'paid', profile: ADA, properties: { order: { id: 'o-1' }, more: 1 } });
    await untilEnded(runId);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).to.deep.equal({ order: { id: 'o-1' }, type: 'paid' });
  });

  it('is simulated with the answer that is assumed', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    const automation = await draft([
      call(id, { path: '/a/{{ profile.attributes.first_name }}', next: 'set' }),
      { id: 'set', type: 'set_profile', set: { tier: { from: 'steps.score.answer.tier' } }, next: null },
    ]);
    await post('/v1/profiles/upsert', { identifiers: ADA, attributes: { first_name: 'Ada' } });
    const { body } = await merchant.client.post<any>(
      `/v1/automations/${automation}/simulate`,
      { profile: ADA, assume: [{ step: 'score', answer: { status: 200, json: { tier: 'gold' } } }] },
      { expect: 200 },
    );
    const [sent, set] = body.effects;
    expect(sent).to.deep.include({ type: 'call_webhook', endpoint_id: id, method: 'POST', path: '/a/Ada', body: '' });
    expect(set.set).to.deep.equal({ tier: 'gold' });
    expect(receiver.received).to.have.length(0);
  });
});
