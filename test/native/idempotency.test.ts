import { expect } from 'chai';
import type { Client, Response } from '../support/client.ts';
import { Pair } from '../support/pair.ts';
import { redisUrl } from '../support/redis.ts';
import { TestService } from '../support/service.ts';

const event = (more: object = {}) => ({ event_type: 'visit', profile: { external_id: 'c1' }, ...more });

/** 50 requests with one key are one event, and 50 equal answers, all but one of which are replays. */
function expectOneEvent(answers: Response<any>[]): void {
  expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201]));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).to.have.property('size', 1);
  expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).to.have.length(49);
}

describe('Idempotency', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    client = await service.client();
  });
  after(() => service.stop());

  const send = (body: object, expected = 201) => client.post('/v1/events', body, { expect: expected });

  it('returns the original response for a repeat, says so, and creates nothing', async () => {
    const first = await send(event({ idempotency_key: 'a', properties: { z: 1, a: 2 } }));
    expect(first.headers).not.to.have.property('idempotency-replayed');
    const second = await send(event({ idempotency_key: 'a', properties: { z: 1, a: 2 } }));
    expect(second.headers['idempotency-replayed']).to.equal('true');
    expect(JSON.stringify(second.body)).to.equal(JSON.stringify(first.body));
  });

  it('returns the original event whatever the body of the repeat, which changes no profile', async () => {
    const first = await send(event({ idempotency_key: 'b' }));
    const other = {
      event_type: 'other',
      profile: { external_id: 'c1', email: 'new@example.com' },
      idempotency_key: 'b',
    };
    expect((await send(other)).body).to.deep.equal(first.body);
    const { status } = await client.post('/v1/profiles/upsert', { identifiers: { email: 'new@example.com' } });
    expect(status).to.equal(201);
  });

  it('leaves the key of a refused request free', async () => {
    await send(event({ idempotency_key: 'c', profile: {} }), 400);
    expect((await send(event({ idempotency_key: 'c' }))).headers).not.to.have.property('idempotency-replayed');
  });

  it('covers both the single and the bulk operation', async () => {
    const { body } = await client.post(
      '/v1/events/bulk',
      { events: [event({ idempotency_key: 'd' })] },
      { expect: 201 },
    );
    const repeat = await send(event({ idempotency_key: 'd' }));
    expect(repeat.headers['idempotency-replayed']).to.equal('true');
    expect(repeat.body.id).to.equal(body.events[0].id);
  });

  it('records one event for 50 concurrent requests with one key', async () => {
    const requests = Array.from({ length: 50 }, (_, n) => send(event({ idempotency_key: 'e', properties: { n } })));
    expectOneEvent(await Promise.all(requests));
    expect(await service.database.query(`select 1 from event where idempotency_key = 'e'`)).to.have.length(1);
  });
});

describe('Idempotency across two processes', () => {
  let pair: Pair;

  before(async function () {
    pair = await Pair.start(redisUrl(this));
  });
  after(() => pair?.stop());

  it('records one event for 50 concurrent requests with one key, sent to both', async () => {
    const requests = Array.from({ length: 50 }, (_, n) =>
      pair.client(n).post('/v1/events', event({ idempotency_key: 'one', properties: { n } })),
    );
    expectOneEvent(await Promise.all(requests));
    expect(await pair.database.query('select 1 from event')).to.have.length(1);
  });
});
