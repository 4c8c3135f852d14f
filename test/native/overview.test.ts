import { expect } from 'chai';
import type { Scope } from '../../src/domain/caller.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

describe('GET /v1/reports/overview', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    storeId = await service.newStore();
    client = (await service.client()).as((await service.newKey({ storeId })).key);
  });
  after(() => service.stop());

  const overview = async (as = client) => (await as.get('/v1/reports/overview', { expect: 200 })).body;
  const query = (text: string) => service.database.query(text.replaceAll('$store', `'${storeId}'`));
  const taken = async () =>
    (await overview()).first_steps.filter(({ is_done }: any) => is_done).map(({ kind }: any) => kind);
  const kinds = async (as = client) => (await overview(as)).attention.map(({ kind }: any) => kind);

  /** Orders at these times, in hours before now. */
  const orders = (hours: string) =>
    query(`
      insert into order_quarter (store_id, start, currency, orders, amount, refunded, cancelled)
      select $store, date_bin('15 minutes', now() - make_interval(hours => h), 'epoch'), 'EUR', 1, 10, 0, 0
      from (${hours}) as t (h)`);

  it('says nothing of a store that has nothing, and ticks what it has', async () => {
    expect(await overview()).to.deep.equal({
      attention: [],
      first_steps: [
        ...['store_set_up', 'first_event', 'customers_imported', 'sender_verified', 'automation_live', 'campaign_sent'],
      ].map((kind) => ({ kind, is_done: false })),
    });
    for (const [settings, steps] of [
      [{ time_zone: 'Europe/Berlin' }, []],
      [{ currency: 'EUR' }, ['store_set_up']],
      [{ time_zone: null }, []],
    ] as const) {
      const headers = { 'Content-Type': 'application/json' };
      await client.send('PATCH', '/v1/store', JSON.stringify(settings), { headers, expect: 200 });
      expect(await taken()).to.deep.equal(steps);
    }
    await client.post('/v1/events', { event_type: 'visit', profile: { external_id: 'ada' } }, { expect: 201 });
    expect(await taken()).to.deep.equal(['first_event']);
    const profiles = Array.from({ length: 99 }, (_, n) => ({ event_type: 'visit', profile: { external_id: `c${n}` } }));
    await client.post('/v1/events/bulk', { events: profiles }, { expect: 201 });
    expect(await taken()).to.deep.equal(['first_event', 'customers_imported']);
  });

  it('ticks an import, a sender that holds, an automation that was published and a campaign that has begun', async () => {
    await query(`
      insert into customer_import (store_id, id, state, list_ids, rows_created, created_at)
      values ($store, '${newId()}', 'complete', '{}', 1, now())`);
    await query(`
      insert into sender (store_id, id, kind, name, class, max_per_second, max_concurrent, checks, created_at, updated_at)
      values ($store, '${newId()}', 'smtp', 'One', 'both', 1, 1, '[{"name": "spf", "ok": true}]', now(), now())`);
    await query(`
      insert into automation (store_id, id, name, draft, revision, status, version, trigger, created_at, updated_at, read_status)
      values ($store, '${newId()}', 'One', '{}', 1, 'paused', 1, '{}', now(), now(), 'paused')`);
    await query(`
      insert into campaign (store_id, id, name, channel, status, revision, started_at, created_at, updated_at)
      values ($store, '${newId()}', 'One', 'email', 'sending', 1, now(), now(), now())`);
    expect(await taken()).to.deep.equal(['customers_imported', 'sender_verified', 'automation_live', 'campaign_sent']);
  });

  it('says which senders and endpoints are down, since when, and to whom may read them only', async () => {
    const [resting, failing, down, wanted] = [newId(), newId(), newId(), newId()];
    await query(`
      insert into sender
        (store_id, id, kind, name, class, max_per_second, max_concurrent, checks, checked_at, resting_until, created_at, updated_at)
      values
        ($store, '${resting}', 'smtp', 'One', 'both', 1, 1, null, null, now() + interval '1 hour', now(), now()),
        ($store, '${failing}', 'smtp', 'Two', 'both', 1, 1, '[{"name": "spf", "ok": false}]', '2025-03-01', null, now(), now())`);
    await query(`
      insert into webhook_endpoint (store_id, id, url, name, secret, previous_secrets, max_per_second, max_concurrent, tokens,
        tokens_at, failures, failing_since, disabled_at, disabled_reason, created_at, updated_at)
      values
        ($store, '${down}', 'https://shop.example', 'One', 's', '[]', 1, 1, 1, now(), 9, '2025-03-02', now(), 'failing', now(), now()),
        ($store, '${wanted}', 'https://shop.example', 'Two', 's', '[]', 1, 1, 1, now(), 0, null, now(), 'requested', now(), now())`);
    expect((await overview()).attention).to.deep.equal([
      { kind: 'endpoint_down', since: '2025-03-02T00:00:00.000Z', count: 1, ids: [down] },
      { kind: 'sender_failing', since: '2025-03-01T00:00:00.000Z', count: 1, ids: [failing] },
      { kind: 'sender_resting', since: null, count: 1, ids: [resting] },
    ]);
    const only = async (...scopes: Scope[]) =>
      kinds(client.as((await service.newKey({ storeId, scopes: ['reports:read', ...scopes] })).key));
    expect(await only('webhooks:manage')).to.deep.equal(['endpoint_down']);
    expect(await only()).to.deep.equal([]);
    const { key } = await service.newKey({ storeId, scopes: ['webhooks:manage'] });
    await client.as(key).get('/v1/reports/overview', { expect: 403 });
  });

  it('says what has failed of late, and what waits for somebody', async () => {
    const [automation, pool, feed, waiting, held, missed, failed] = Array.from({ length: 7 }, newId);
    const run = (status: string, hours: number) => `
      ($store, '${newId()}', '${automation}', 1, '${newId()}', '${newId()}', '{}', '{}', 0, '${status}', 's', 0, '{}', 0, now(),
        now() - make_interval(hours => ${hours}))`;
    await query(`
      insert into automation_run (store_id, id, automation_id, version, profile_id, trigger_id, origin, captured, depth, status,
        step_id, seq, consumed, attempts, started_at, ended_at)
      values ${[run('failed', 1), run('failed', 2), run('failed', 25), run('ended', 1)].join()}`);
    await query(`
      insert into coupon_pool (store_id, id, name, kind, per, low_below, codes, created_at, updated_at)
      values ($store, '${pool}', 'One', 'uploaded', 'customer', 5, 0, now(), now()),
        ($store, '${newId()}', 'Two', 'uploaded', 'customer', 5, 1, now(), now())`);
    const feedOf = (id: string | undefined, failures: number) =>
      `($store, '${id}', '${id}', 'u', 'u', 60, ${failures}, now(), now())`;
    await query(`
      insert into catalog_feed (store_id, id, name, url, url_shown, every_minutes, failures, created_at, updated_at)
      values ${[feedOf(feed, 5), feedOf(waiting, 0), feedOf(newId(), 4)].join()}`);
    await query(`
      insert into catalog_feed_run (store_id, id, feed_id, status, started_at)
      values ($store, '${newId()}', '${waiting}', 'needs_confirmation', now())`);
    await query(`
      insert into campaign (store_id, id, name, channel, status, revision, created_at, updated_at)
      values ($store, '${held}', 'One', 'email', 'held', 1, now(), now()),
        ($store, '${missed}', 'Two', 'email', 'missed', 1, now(), now()),
        ($store, '${newId()}', 'Three', 'email', 'missed', 1, now(), now() - interval '8 days'),
        ($store, '${newId()}', 'Four', 'email', 'paused', 1, now(), now())`);
    await query(`
      insert into customer_import (store_id, id, state, list_ids, created_at, ended_at)
      values ($store, '${failed}', 'failed', '{}', now(), now())`);
    const { attention } = await overview();
    expect(attention.map(({ kind, count, ids }: any) => ({ kind, count, ids }))).to.deep.equal([
      { kind: 'automation_failed', count: 2, ids: [automation] },
      { kind: 'campaign_held', count: 1, ids: [held] },
      { kind: 'campaign_missed', count: 1, ids: [missed] },
      { kind: 'coupon_pool_empty', count: 1, ids: [pool] },
      { kind: 'feed_failing', count: 1, ids: [feed] },
      { kind: 'feed_waiting', count: 1, ids: [waiting] },
      { kind: 'import_failed', count: 1, ids: [failed] },
    ]);
  });

  it('says that there were no orders for longer than there ever were none, but not that it is night', async () => {
    await orders('select 24 * d + h from generate_series(0, 9) d, generate_series(5, 9) h');
    // The pauses before were twenty hours long.
    expect(await kinds()).to.deep.equal([]);
    await query(`update order_quarter set start = start - interval '15 hours' where store_id = $store`);
    expect(await kinds()).to.deep.equal([]);
    await query(`update order_quarter set start = start - interval '6 hours' where store_id = $store`);
    const { attention } = await overview();
    expect(attention).to.have.length(1);
    expect(attention[0]).to.include({ kind: 'no_orders', count: 1 }).and.to.deep.include({ ids: [] });
    // Too few to say.
    await query(`delete from order_quarter where store_id = $store and start < now() - interval '4 days'`);
    expect(await kinds()).to.deep.equal([]);
  });
});
