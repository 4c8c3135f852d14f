import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { holdTable } from '../support/obstacles.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Merchant, RECEIVABLE } from './support/merchant.ts';
import { Receiver } from './support/receiver.ts';

describe('The sender of webhooks', () => {
  let service: TestService;
  /** A second process on the same database. */
  let other: TestService;
  let merchant: Merchant;
  let receiver: Receiver;

  before(async () => {
    service = await TestService.start(RECEIVABLE);
    other = await TestService.start(RECEIVABLE, service.database);
  });
  beforeEach(async () => {
    merchant = await Merchant.open(service);
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    // Nothing is left for the next test's processes to do.
    await merchant.query('update webhook_delivery set due_at = null where store_id = $store');
    await receiver[Symbol.asyncDispose]();
  });
  after(async () => {
    await other.stopService();
    await service.stop();
  });

  it('sends each delivery once, signed, to receivers that answer', async () => {
    const { id, secret } = await merchant.endpoint(receiver.url, { max_per_second: 1000 });
    const ids = await merchant.queue(id, 40);
    await merchant.untilAll(id, 'delivered');
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).to.have.members(ids);
    for (const { headers, body } of receiver.received) {
      const message = new Webhook(secret).verify(body, headers as Record<string, string>) as any;
      expect(message.data.id).to.equal(headers['webhook-id']);
    }
    const { attempts, ...delivery } = await merchant.delivery(ids[0] as string);
    expect(delivery).to.include({ status: 'delivered', next_attempt_at: null });
    expect(attempts.map(({ number, status }: any) => [number, status])).to.deep.equal([[1, 204]]);
    expect(await merchant.health(id)).to.include({ failures: 0, queued: 0, oldest_queued_at: null });
  });

  it('sends what has failed again, with the same id and the same bytes, until there are no attempts left', async () => {
    receiver.respond = (response) => response.writeHead(500).end('Broken');
    const { id } = await merchant.endpoint(receiver.url);
    const [delivery = ''] = await merchant.queue(id);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await until(async () => (await merchant.delivery(delivery)).attempts.length === attempt, `attempt ${attempt}`);
      if (attempt < 10) expect(await merchant.delivery(delivery)).to.include({ status: 'pending' });
      // No breaker, and no waiting.
      await merchant.query('update webhook_endpoint set failures = 0, resting_until = null where store_id = $store');
      await merchant.hasten();
    }
    const { status, attempts } = await merchant.delivery(delivery);
    expect(status).to.equal('failed');
    expect(attempts[0]).to.include({ number: 10, status: 500, excerpt: 'Broken' });
    const sent = receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`);
    expect([sent.length, new Set(sent).size]).to.deep.equal([10, 1]);
  });

  it('sends a request once more where the receiver closes the connection that was kept, and tells so', async () => {
    // Each connection is good for one request; the next one is read.
    const used = new WeakSet<object>();
    receiver.respond = (response, _, { socket }) => {
      if (used.has(socket)) return socket.destroy();
      used.add(socket);
      response.writeHead(204).end();
    };
    const { id } = await merchant.endpoint(receiver.url, { max_per_second: 1000, max_concurrent: 1 });
    const ids = await merchant.queue(id, 6);
    await merchant.untilAll(id, 'delivered');
    const attempts = await Promise.all(ids.map(async (one) => (await merchant.delivery(one)).attempts));
    for (const [i, [attempt, ...others]] of attempts.entries()) {
      expect([attempt.status, others]).to.deep.equal([204, []]);
      const requests = receiver.received.filter(({ headers }) => headers['webhook-id'] === ids[i]);
      expect(requests).to.have.length(attempt.resent ? 2 : 1);
    }
    expect(attempts.some(([attempt]) => attempt.resent)).to.equal(true);
  });

  it('waits as the schedule says, or as the receiver asks', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    receiver.respond = (response) => response.writeHead(500).end();
    const [one = ''] = await merchant.queue(id);
    await until(async () => (await merchant.delivery(one)).attempts.length === 1, 'the first attempt');
    const { attempts, next_attempt_at } = await merchant.delivery(one);
    expect(Date.parse(next_attempt_at) - Date.parse(attempts[0].at)).to.be.at.least(4_000);
    receiver.respond = (response) => response.writeHead(503, { 'retry-after': '1000' }).end();
    const [two = ''] = await merchant.queue(id);
    await until(async () => (await merchant.delivery(two)).attempts.length === 1, 'the attempt');
    const { status, resting_until } = await merchant.health(id);
    expect(status).to.equal('resting');
    expect(Date.parse(resting_until) - Date.now()).to.be.within(900_000, 1_000_000);
    await merchant.hasten();
    expect(receiver.received).to.have.length(2);
  });

  it('disables an endpoint that is gone, holds what waits for it, and sends it once it is replayed', async () => {
    receiver.respond = (response) => response.writeHead(410).end();
    const { id } = await merchant.endpoint(receiver.url, { max_concurrent: 1 });
    await merchant.queue(id, 5);
    await merchant.untilAll(id, 'held');
    expect(await merchant.health(id)).to.include({ status: 'disabled', disabled_reason: 'gone', queued: 0 });
    expect(receiver.received).to.have.length(1);
    receiver.respond = (response) => response.writeHead(200).end();
    await merchant.change(id, { url: receiver.url, max_per_second: 100, max_concurrent: 10, status: 'active' });
    const { body } = await merchant.client.post<any>(`/v1/webhook-endpoints/${id}/replay`, { status: 'held' });
    expect(body.replayed).to.equal(5);
    await merchant.untilAll(id, 'delivered');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).to.equal(5);
  });

  it('sends what was about to be held when its endpoint was enabled', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    await merchant.query(
      `update webhook_endpoint set resting_until = now() + interval '1 hour' where store_id = $store`,
    );
    await merchant.queue(id);
    const release = await holdTable(service.database, 'webhook_delivery', 'exclusive');
    try {
      await merchant.change(id, { url: receiver.url, status: 'disabled' });
      await until(() => service.database.isWaiting(), 'it is about to be held');
      await merchant.change(id, { url: receiver.url, status: 'active' });
    } finally {
      await release();
    }
    await merchant.untilAll(id, 'delivered', 'held');
    expect(await merchant.deliveries(id)).to.have.nested.property('[0].status', 'delivered');
  });

  it('holds few at a time of those that runs wait for, as nobody can enable the endpoint meanwhile', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    await merchant.query(
      `update webhook_endpoint set resting_until = now() + interval '1 hour' where store_id = $store`,
    );
    await merchant.queue(id, 160);
    await merchant.query(`update webhook_delivery set is_awaited = true, run_id = id, seq = 1 where store_id = $store`);
    await merchant.queue(id, 200);
    await merchant.change(id, { url: receiver.url, status: 'disabled' });
    const held = () =>
      merchant.query(`
        select count(*)::int as n, (count(*) filter (where is_awaited))::int as awaited from webhook_delivery
        where store_id = $store and status = 'held' group by finished_at`);
    const sum = (counts: number[]) => counts.reduce((all, n) => all + n, 0);
    await until(async () => sum((await held()).map(({ n }) => n)) === 360, 'all are held');
    const awaited = (await held()).map((transaction) => transaction.awaited);
    expect([sum(awaited), Math.max(...awaited)]).to.deep.equal([160, 50]);
  });

  it('disables an endpoint that has done nothing but fail for five days, unless it was hardly ever tried', async () => {
    receiver.respond = (response) => response.writeHead(500).end();
    const failed = async (times: number, latest: string) => {
      const { id } = await merchant.endpoint(receiver.url);
      await merchant.query(
        `update webhook_endpoint set failures = ${times}, failing_since = now() - interval '5 days',
           last_failed_at = now() - interval '${latest}'
         where store_id = $store and id = '${id}'`,
      );
      const [delivery = ''] = await merchant.queue(id);
      await until(async () => (await merchant.delivery(delivery)).attempts.length === 1, 'it fails once more');
      return { id, ...(await merchant.health(id)) };
    };
    const failing = await failed(9, '28 hours');
    expect(failing).to.include({ status: 'disabled', disabled_reason: 'failing', failures: 10 });
    await merchant.untilAll(failing.id, 'held');
    expect(await failed(3, '28 hours')).to.include({ status: 'active', failures: 4 });
    expect(await failed(9, '37 hours')).to.include({ status: 'active', failures: 1 });
  });

  it('keeps the latest 50 attempts of a delivery', async () => {
    receiver.respond = (response) => response.writeHead(500).end();
    const { id } = await merchant.endpoint(receiver.url);
    const [delivery = ''] = await merchant.queue(id, 1, { expires_at: `now() + interval '1 hour'` });
    await until(async () => (await merchant.delivery(delivery)).attempts.length === 1, 'the first attempt');
    await merchant.query(`
      insert into webhook_attempt (store_id, delivery_id, number, at, ms)
      select $store, '${delivery}', n, now(), 1 from generate_series(2, 55) n`);
    await merchant.hasten();
    await until(async () => (await merchant.delivery(delivery)).attempts[0].number === 56, 'another attempt');
    const numbers = await merchant.query(
      `select number from webhook_attempt where store_id = $store and delivery_id = '${delivery}' order by number desc`,
    );
    expect(numbers.map(({ number }) => number)).to.deep.equal(Array.from({ length: 50 }, (_, i) => 56 - i));
    expect((await merchant.delivery(delivery)).attempts).to.have.length(50);
  });

  it('rests an endpoint that fails ten times in a row; the others keep their attempts, and one tries', async () => {
    receiver.respond = (response) => response.writeHead(500).end();
    const { id } = await merchant.endpoint(receiver.url, { max_concurrent: 5, max_per_second: 1000 });
    await merchant.queue(id, 30);
    await until(async () => (await merchant.health(id)).status === 'resting', 'it rests');
    await until(
      async () => (await merchant.deliveries(id)).every(({ status }) => status === 'pending'),
      'none is under way',
    );
    const sent = receiver.received.length;
    expect(sent).to.be.within(10, 14);
    const wake = () => merchant.query('update webhook_endpoint set resting_until = now() where store_id = $store');
    await wake();
    await until(() => Promise.resolve(receiver.received.length === sent + 1), 'one tries');
    await until(async () => (await merchant.health(id)).status === 'resting', 'it rests again');
    receiver.respond = (response) => response.writeHead(200).end();
    await wake();
    await until(async () => (await merchant.health(id)).failures === 0, 'it does well');
    await merchant.hasten();
    await merchant.untilAll(id, 'delivered');
  });

  it('does not send what has expired', async () => {
    receiver.respond = (response) => response.writeHead(500).end();
    const { id } = await merchant.endpoint(receiver.url);
    const [late = ''] = await merchant.queue(id, 1, { expires_at: `now() - interval '1 second'` });
    const [soon = ''] = await merchant.queue(id, 1, { expires_at: `now() + interval '3 seconds'` });
    await merchant.untilAll(id, 'expired');
    expect((await merchant.delivery(late)).attempts).to.have.length(0);
    // The next attempt would be too late.
    expect((await merchant.delivery(soon)).attempts.length).to.be.at.most(1);
    expect(receiver.received.every(({ headers }) => headers['webhook-id'] === soon)).to.equal(true);
    const replay = await merchant.client.send<any>('POST', `/v1/webhook-deliveries/${late}/replay`, undefined);
    expect(replay.body.error.message).to.equal('The delivery has expired');
  });

  it('is tried a last time shortly before it expires, and stays expired then', async () => {
    receiver.respond = (response) => response.writeHead(500).end();
    const { id } = await merchant.endpoint(receiver.url);
    const [one = ''] = await merchant.queue(id, 1, { expires_at: `now() + interval '1 hour'` });
    const tryAt = (attempt: number, expires: string) =>
      merchant.query(`
        update webhook_delivery
        set due_at = now() - interval '1 second', attempt = ${attempt}, expires_at = now() + interval '${expires}'
        where id = '${one}'`);
    await until(async () => (await merchant.delivery(one)).attempts.length === 1, 'it was tried');
    // The next attempt would be after hours.
    await tryAt(4, '1 hour');
    await until(async () => (await merchant.delivery(one)).attempts.length === 2, 'it was tried again');
    const { status, next_attempt_at, expires_at } = await merchant.delivery(one);
    expect([status, Date.parse(expires_at) - Date.parse(next_attempt_at)]).to.deep.equal(['pending', 5_000]);
    await tryAt(5, '9 seconds');
    await merchant.untilAll(id, 'expired');
    await merchant.query(`update webhook_delivery set expires_at = now() + interval '1 hour' where id = '${one}'`);
    const replay = await merchant.client.send<any>('POST', `/v1/webhook-deliveries/${one}/replay`, undefined);
    expect([replay.status, replay.body.error.message]).to.deep.equal([400, 'The delivery has expired']);
  });

  it('keeps to the number of requests at a time, over two processes', async () => {
    let [underWay, most] = [0, 0];
    receiver.respond = (response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.writeHead(200).end();
      }, 30);
    };
    const { id } = await merchant.endpoint(receiver.url, { max_concurrent: 3, max_per_second: 1000 });
    await merchant.queue(id, 30);
    await merchant.untilAll(id, 'delivered');
    expect(most).to.be.within(1, 3);
    expect(receiver.received).to.have.length(30);
  });

  it('sends to all endpoints of a store at the same time, however many have something due', async () => {
    const [COUNT, EACH] = [16, 30];
    const first = new Map<string, number>();
    const arrivals: number[] = [];
    receiver.respond = (response, { at }, { url = '' }) => {
      arrivals.push(at);
      first.set(url, first.get(url) ?? at);
      setTimeout(() => response.writeHead(200).end(), 20);
    };
    const deliveries: { delivery: string; n: number }[] = [];
    for (let i = 0; i < COUNT; i += 1) {
      const { id } = await merchant.endpoint(`${receiver.url}/${i}`, { max_concurrent: 100, max_per_second: 1000 });
      await merchant.query(
        `update webhook_endpoint set resting_until = now() + interval '1 hour' where store_id = $store and id = '${id}'`,
      );
      deliveries.push(...(await merchant.queue(id, EACH)).map((delivery, n) => ({ delivery, n })));
    }
    // One after the other, at all endpoints.
    const start = Date.now();
    const due = deliveries.map(
      ({ delivery, n }) => `('${delivery}'::uuid, '${new Date(start + n * 80).toISOString()}'::timestamptz)`,
    );
    await merchant.query(`
      update webhook_delivery d set due_at = due.at from (values ${due.join(', ')}) as due (id, at)
      where d.store_id = $store and d.id = due.id`);
    await merchant.query('update webhook_endpoint set resting_until = null where store_id = $store');
    await until(() => Promise.resolve(arrivals.length >= COUNT * EACH), 'all have arrived');
    const half = arrivals.toSorted((a, b) => a - b)[(COUNT * EACH) / 2] as number;
    expect([...first.values()].filter((at) => at < half)).to.have.length(COUNT);
  });

  it('lets no endpoint wait for one that hangs', async () => {
    await using hanging = await Receiver.start(() => {});
    const stuck = await merchant.endpoint(hanging.url, { max_concurrent: 5 });
    await merchant.queue(stuck.id, 20);
    await until(() => Promise.resolve(hanging.received.length === 5), 'it hangs');
    const well = await merchant.endpoint(receiver.url);
    await merchant.queue(well.id, 10);
    await merchant.untilAll(well.id, 'delivered');
    expect(hanging.received).to.have.length(5);
    const statuses = (await merchant.deliveries(stuck.id)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'sending')).to.have.length(5);
  });

  it('takes over what a process had taken that has ended', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    const [delivery = ''] = await merchant.queue(id);
    await merchant.untilAll(id, 'delivered');
    await merchant.query(
      `update webhook_delivery set status = 'sending', due_at = now(), finished_at = null where store_id = $store`,
    );
    await merchant.untilAll(id, 'delivered');
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).to.deep.equal([delivery, delivery]);
  });

  it('sends nothing to a deleted endpoint, and nothing of a store that was restored', async () => {
    const { id } = await merchant.endpoint(receiver.url);
    await merchant.query('insert into automation_hold (store_id, held_at) values ($store, now())');
    await merchant.queue(id, 2);
    const others = await Merchant.open(service);
    await others.endpoint(receiver.url).then((witness) => others.queue(witness.id));
    await until(() => Promise.resolve(receiver.received.length === 1), 'another store sends');
    await merchant.client.send('DELETE', `/v1/webhook-endpoints/${id}`, undefined);
    await merchant.query('delete from automation_hold where store_id = $store');
    await merchant.untilAll(id, 'failed');
    expect(receiver.received).to.have.length(1);
  });
});
