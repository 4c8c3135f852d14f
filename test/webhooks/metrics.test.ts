import { expect } from 'chai';
import { Metrics } from '../support/metrics.ts';
import { createUndividedDatabase } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Merchant, RECEIVABLE } from './support/merchant.ts';
import { Receiver } from './support/receiver.ts';

describe('Metrics of webhooks', () => {
  let service: TestService;
  let merchant: Merchant;
  let receiver: Receiver;

  before(async () => {
    service = await TestService.start(RECEIVABLE, await createUndividedDatabase());
    merchant = await Merchant.open(service);
    receiver = await Receiver.start();
  });
  after(async () => {
    await receiver[Symbol.asyncDispose]();
    await service.stop();
  });

  const value = async (name: string, labels: Record<string, string> = {}) =>
    (await Metrics.of(service.url)).sum(`footfall_webhook_${name}`, labels);
  const untilIt = (name: string, labels: Record<string, string>, expected: number) =>
    until(async () => (await value(name, labels)) === expected, `${name} ${JSON.stringify(labels)} is ${expected}`);

  it('begin at zero, so that the first failure shows', async () => {
    for (const outcome of ['delivered', 'failed', 'expired', 'held']) {
      expect(await value('deliveries_total', { outcome }), outcome).to.equal(0);
    }
    for (const outcome of ['delivered', 'refused', 'unanswered']) {
      expect(await value('attempt_duration_seconds_count', { outcome }), outcome).to.equal(0);
    }
    for (const name of ['deliveries_waiting', 'oldest_seconds', 'endpoints_disabled']) {
      expect(await value(name), name).to.equal(0);
    }
  });

  it('count deliveries by what becomes of them, and attempts with their times', async () => {
    const fine = await merchant.endpoint(receiver.url);
    receiver.respond = (response) => void setTimeout(() => response.writeHead(200).end(), 30);
    await merchant.queue(fine.id, 3);
    await untilIt('deliveries_total', { outcome: 'delivered' }, 3);
    expect(await value('attempt_duration_seconds_count', { outcome: 'delivered' })).to.equal(3);
    expect(await value('attempt_duration_seconds_sum', { outcome: 'delivered' })).to.be.within(0.085, 30);
    await merchant.queue(fine.id, 1, { expires_at: `now() - interval '1 second'` });
    await untilIt('deliveries_total', { outcome: 'expired' }, 1);
    // The last attempt of ten.
    receiver.respond = (response) => response.writeHead(500).end();
    await merchant.queue(fine.id);
    await untilIt('attempt_duration_seconds_count', { outcome: 'refused' }, 1);
    await merchant.query(`update webhook_delivery set attempt = 9 where store_id = $store and status = 'pending'`);
    await merchant.hasten();
    await untilIt('deliveries_total', { outcome: 'failed' }, 1);
    const closed = await merchant.endpoint('http://127.0.0.1:9/');
    await merchant.queue(closed.id);
    await untilIt('attempt_duration_seconds_count', { outcome: 'unanswered' }, 1);
  });

  it('show what waits, since when, and which endpoints are disabled', async () => {
    await merchant.query('update webhook_delivery set due_at = null where store_id = $store');
    const resting = await merchant.endpoint(receiver.url);
    await merchant.query(
      `update webhook_endpoint set resting_until = now() + interval '1 hour' where id = '${resting.id}' and store_id = $store`,
    );
    await merchant.queue(resting.id, 4);
    await merchant.query(
      `update webhook_delivery set created_at = now() - interval '1 hour' where store_id = $store and endpoint_id = '${resting.id}'`,
    );
    await untilIt('deliveries_waiting', {}, 4);
    expect(await value('oldest_seconds')).to.be.within(3_600, 3_700);
    receiver.respond = (response) => response.writeHead(410).end();
    const gone = await merchant.endpoint(receiver.url, { max_concurrent: 1 });
    await merchant.queue(gone.id, 2);
    await untilIt('deliveries_total', { outcome: 'held' }, 2);
    await untilIt('endpoints_disabled', {}, 1);
    await untilIt('deliveries_waiting', {}, 4);
  });
});
