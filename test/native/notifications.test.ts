import { expect } from 'chai';
import { newId } from '../../src/ids/uuid-v7.ts';
import { Shop } from '../messages/support/shop.ts';
import { ScriptedServer } from '../senders/support/scripted-server.ts';
import type { Client } from '../support/client.ts';
import { type Browser, signedIn } from '../support/people.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('GET /v1/notification-settings, PUT /v1/notification-settings', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start({ TRUST_PROXY: '1', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  });
  beforeEach(async () => {
    storeId = await service.newStore();
    client = (await service.client()).as((await service.newKey({ storeId })).key);
  });
  after(() => service.stop());

  const query = (text: string) => service.database.query<any>(text.replaceAll('$store', `'${storeId}'`));
  const settings = async () => (await client.get('/v1/notification-settings', { expect: 200 })).body;
  const save = (fields: object, expected = 200) =>
    client.send<any>(
      'PUT',
      '/v1/notification-settings',
      JSON.stringify({ sender_id: null, endpoint_id: null, ...fields }),
      {
        headers: JSON_TYPE,
        expect: expected,
      },
    );
  const outbox = async (): Promise<string> =>
    (await client.get('/v1/senders', { expect: 200 })).body.senders.find(({ kind }: any) => kind === 'outbox').id;
  const choose = async (browser: Browser, choices: object) => {
    const { status } = await browser.send('PUT', '/dashboard/account/notifications', {
      ...{ attention: false, weekly_report: false },
      ...choices,
    });
    expect(status).to.equal(204);
  };
  /** Waits until the service has looked at the store since: its turn is taken first, so the second one comes after the first. */
  const looked = async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      await query('update notification_settings set check_at = now() where store_id = $store');
      await until(async () => {
        const [row] = await query(
          "select check_at > now() + interval '20 seconds' as done from notification_settings where store_id = $store",
        );
        return row.done;
      }, 'the store to be looked at');
    }
  };
  /** Mails and calls that were sent, the oldest first. */
  const sent = async (count: number): Promise<any[]> => {
    let recent: any[] = [];
    await until(async () => {
      ({ recent } = await settings());
      return recent.filter(({ status }) => status === 'sent').length >= count;
    }, `${count} notifications to be sent`);
    expect(recent).to.have.length(count);
    return recent.toReversed();
  };
  const contentOf = async (id: string) => (await client.get(`/v1/messages/${id}/content`, { expect: 200 })).body;
  const failAutomation = async (name: string) => {
    const id = newId();
    await query(`
      insert into automation (store_id, id, name, draft, revision, status, version, trigger, created_at, updated_at, read_status)
      values ($store, '${id}', '${name}', '{}', 1, 'paused', 1, '{}', now(), now(), 'paused')`);
    await query(`
      insert into automation_run (store_id, id, automation_id, version, profile_id, trigger_id, origin, captured, depth, status,
        step_id, seq, consumed, attempts, started_at, ended_at)
      values ($store, '${newId()}', '${id}', 1, '${newId()}', '${newId()}', '{}', '{}', 0, 'failed', 'a', 1, '{}', 0, now(), now())`);
    return id;
  };
  const wake = (id: string) => query(`delete from automation_run where store_id = $store and automation_id = '${id}'`);

  it('refuses senders and endpoints that are not there or send no mail', async () => {
    for (const [field, value, problem] of [
      ['sender_id', newId(), 'sender_id is not the id of a sender'],
      ['endpoint_id', newId(), 'endpoint_id is not the id of a webhook endpoint'],
    ] as const) {
      const { body } = await save({ [field]: value }, 400);
      expect(body.error).to.deep.include({ field, message: problem });
    }
    await save({ sender_id: 7 }, 400);
    const texts = newId();
    await query(`
      insert into sender (store_id, id, kind, name, class, max_per_second, max_concurrent, endpoint_id, created_at, updated_at)
      values ($store, '${texts}', 'webhook', 'Texts', 'both', 1, 1, '${newId()}', now(), now())`);
    const { body } = await save({ sender_id: texts }, 400);
    expect(body.error.message).to.equal('sender_id is that of a sender that sends no e-mail');
    const { key } = await service.newKey({ storeId, scopes: ['reports:read'] });
    await client.as(key).get('/v1/notification-settings', { expect: 403 });
  });

  it('says who wants to be told, and why no mail is sent', async () => {
    const ada = await signedIn(service, storeId, 'owner');
    const chosen = async () => (await ada.send('GET', '/dashboard/account/notifications')).body;
    expect(await chosen()).to.deep.equal({
      ...{ attention: false, weekly_report: false, may_have_report: true, problem: 'no_sender' },
    });
    await choose(ada, { attention: true });
    expect(await chosen()).to.deep.include({ attention: true, weekly_report: false });
    const after = await settings();
    expect(after).to.deep.include({ problem: 'no_sender', recent: [] });
    expect(after.recipients).to.have.length(1);
    expect(after.recipients[0]).to.deep.include({ email: ada.email, attention: true, weekly_report: false });
    expect((await save({ sender_id: await outbox() })).body.problem).to.equal(null);
    const wrong = await ada.send('PUT', '/dashboard/account/notifications', { attention: 'yes', weekly_report: true });
    expect([wrong.status, wrong.body.error.field]).to.deep.equal([400, 'attention']);
    const support = await signedIn(service, storeId, 'support');
    expect((await support.send('GET', '/dashboard/account/notifications')).body.may_have_report).to.equal(false);
    const entries = (await client.get('/v1/audit-entries?operation=chooseNotifications', { expect: 200 })).body;
    expect(entries.entries).to.have.length(1);
  });

  it('go by a server of mail, and leave a sender that warms up the day on which it has sent', async () => {
    await using relay = await ScriptedServer.start();
    const warm_up = { first_per_day: 50, target_per_day: 800 };
    const sender = await Shop.of(service.database, client, storeId).relay(relay.port, { warm_up });
    await save({ sender_id: sender });
    const ada = await signedIn(service, storeId, 'owner');
    await choose(ada, { attention: true });
    await query(
      `update sender set day = current_date - 1, sent_today = 3 where store_id = $store and id = '${sender}'`,
    );
    await failAutomation('Welcome');
    await looked();
    await sent(1);
    expect(relay.messages).to.have.length(1);
    expect(relay.messages[0]).to.include(`To: ${ada.email}`);
    const { sent_today, warm_up: warming } = (await client.get(`/v1/senders/${sender}`, { expect: 200 })).body;
    expect([sent_today, warming.limit_today]).to.deep.equal([1, 100]);
  });

  it('tells once what begins and once what is over, to those who may read it', async () => {
    await save({ sender_id: await outbox() });
    const [ada, eve] = [await signedIn(service, storeId, 'owner'), await signedIn(service, storeId, 'support')];
    for (const one of [ada, eve]) await choose(one, { attention: true });
    await query(`
      insert into webhook_endpoint (store_id, id, url, name, secret, previous_secrets, max_per_second, max_concurrent, tokens,
        tokens_at, failures, failing_since, disabled_at, disabled_reason, created_at, updated_at)
      values ($store, '${newId()}', 'https://user:hush@shop.example/t0ken', 'Shop', 's', '[]', 1, 1, 1, now(), 9, now(), now(),
        'failing', now(), now())`);
    await looked();
    const [down] = await sent(1);
    expect(down.subject).to.match(/: A webhook endpoint is down$/);
    const { text, html, headers } = await contentOf(down.id);
    expect(text).to.include('A webhook endpoint is down: Shop (since ').and.to.include('/dashboard/webhooks/');
    expect(text + html).not.to.match(/hush|t0ken/);
    expect(headers.find(({ name }: any) => name === 'To').value).to.equal(ada.email);
    await looked();
    await looked();
    await sent(1);
    const failed = await failAutomation('Welcome <b>');
    await looked();
    const all = await sent(3);
    expect(new Set(all.slice(1).map(({ person_id }) => person_id)).size).to.equal(2);
    const mail = await contentOf(all[2].id);
    expect(mail.html).to.include('Runs of an automation have failed: Welcome &lt;b&gt;');
    await wake(failed);
    await looked();
    await sent(3);
    await query("update attention_item set gone_at = gone_at - interval '1 hour' where gone_at is not null");
    await looked();
    const over = (await sent(5)).slice(3);
    expect(over.map(({ subject }) => subject.replace(/^.*?: /, ''))).to.deep.equal(
      Array(2).fill('Is over: Runs of an automation have failed'),
    );
  });

  it('tells at most four times an hour, and the rest together', async () => {
    await save({ sender_id: await outbox() });
    await choose(await signedIn(service, storeId, 'owner'), { attention: true });
    for (let n = 1; n <= 4; n += 1) {
      await failAutomation(`Number ${n}`);
      await looked();
      await sent(n);
    }
    await failAutomation('Number 5');
    await failAutomation('Number 6');
    await looked();
    await looked();
    await sent(4);
    await query('delete from notification where store_id = $store');
    await looked();
    const [last] = await sent(1);
    expect(last.subject).to.match(/: 2 things need attention$/);
    expect((await contentOf(last.id)).text).to.match(/Number 5.*Number 6/s);
  });

  it('tells an endpoint, in a message of its own type', async () => {
    const {
      body: { endpoint },
    } = await client.post(
      '/v1/webhook-endpoints',
      { url: 'https://shop.example/hooks', name: 'Shop' },
      { expect: 201 },
    );
    await save({ endpoint_id: endpoint.id });
    const failed = await failAutomation('Welcome');
    await looked();
    const [told] = await sent(1);
    expect(told).to.deep.include({ endpoint_id: endpoint.id, person_id: null, kind: 'attention' });
    const { body: delivery } = await client.get(`/v1/webhook-deliveries/${told.id}`, { expect: 200 });
    expect(delivery).to.deep.include({ message_type: 'store.needs_attention', run_id: null });
    const message = JSON.parse(delivery.body);
    expect(message.type).to.equal('store.needs_attention');
    expect(message.data.began).to.have.length(1);
    expect(message.data.began[0]).to.deep.include({ kind: 'automation_failed', id: failed, name: 'Welcome' });
    expect(message.data.ended).to.deep.equal([]);
  });

  it('tries again what was refused for now, and says what failed', async () => {
    await save({ sender_id: await outbox() });
    await choose(await signedIn(service, storeId, 'owner', 'slow@simulator.test'), { attention: true });
    await choose(await signedIn(service, storeId, 'owner', 'bounce@simulator.test'), { attention: true });
    await failAutomation('Welcome');
    await looked();
    const states = async () => {
      const { recent } = await settings();
      return recent.map(({ status, reason }: any) => `${status} ${reason}`).sort();
    };
    await until(async () => (await states()).join() === 'failed refused,waiting refused', 'both to be tried');
    for (let n = 2; n <= 6; n += 1) {
      await query("update notification set due_at = now() where store_id = $store and status = 'waiting'");
      await until(async () => {
        const [row] = await query(`select min(attempts) filter (where status = 'waiting' or attempts > 1) as n
          from notification where store_id = $store and status <> 'sending'`);
        return row.n === n;
      }, `attempt ${n}`);
    }
    expect(await states()).to.deep.equal(['failed refused', 'failed refused']);
  });

  it('does not send again what was interrupted while it was sent', async () => {
    await save({ sender_id: await outbox() });
    const ada = await signedIn(service, storeId, 'owner');
    await choose(ada, { attention: true });
    const [{ id }] = await query(`select id from person where email = '${ada.email}'`);
    await query(`
      insert into notification (store_id, id, kind, person_id, subject, content, status, attempts, due_at, created_at)
      values ($store, '${newId()}', 'attention', '${id}', 'One', '{"subject": "One", "text": "", "html": ""}', 'sending', 1,
        now(), now())`);
    await until(async () => (await settings()).recent[0].status === 'unknown', 'it to be given up');
    expect((await settings()).recent[0]).to.deep.include({ reason: 'interrupted' });
  });

  it('calls an endpoint though a process has ended meanwhile, for it takes the same call once', async () => {
    const url = 'https://shop.example/hooks';
    const { body } = await client.post('/v1/webhook-endpoints', { url, name: 'Shop' }, { expect: 201 });
    const id = newId();
    await query(`
      insert into notification (store_id, id, kind, endpoint_id, subject, content, status, attempts, due_at, created_at)
      values ($store, '${id}', 'attention', '${body.endpoint.id}', 'One', '{}', 'sending', 1, now(), now())`);
    await sent(1);
    await client.get(`/v1/webhook-deliveries/${id}`, { expect: 200 });
  });

  it('sends to the address that an identity provider gives to whoever signs in by it', async () => {
    await save({ sender_id: await outbox() });
    const ada = await signedIn(service, storeId, 'owner');
    await choose(ada, { attention: true });
    await query(`
      update person set email = id || '@provider.invalid', provider_email = '${ada.email}', provider_store_id = $store
      where email = '${ada.email}'`);
    expect((await settings()).recipients[0].email).to.equal(ada.email);
    await failAutomation('Welcome');
    await looked();
    const [mail] = await sent(1);
    const { headers } = await contentOf(mail.id);
    expect(headers.find(({ name }: any) => name === 'To').value).to.equal(ada.email);
  });

  it('does not send what somebody does not want any more, or may not read', async () => {
    await save({ sender_id: await outbox() });
    const [ada, ben] = [await signedIn(service, storeId, 'owner'), await signedIn(service, storeId, 'analyst')];
    for (const one of [ada, ben]) await choose(one, { attention: true, weekly_report: true });
    await looked();
    await client.send('PUT', '/v1/store/hold', '{"is_held": true}', { headers: JSON_TYPE, expect: 200 });
    for (const [browser, kind] of [
      [ada, 'attention'],
      [ben, 'weekly_report'],
    ] as const) {
      await query(`
        insert into notification (store_id, id, kind, person_id, subject, content, status, attempts, due_at, created_at)
        select $store, gen_random_uuid(), '${kind}', id, 'One', '{}', 'waiting', 0, now(), now()
        from person where email = '${browser.email}'`);
    }
    await choose(ada, { weekly_report: true });
    await query(`
      update membership set role = 'support' where store_id = $store
        and person_id = (select id from person where email = '${ben.email}')`);
    await client.send('PUT', '/v1/store/hold', '{"is_held": false}', { headers: JSON_TYPE, expect: 200 });
    await query("update notification set due_at = now() where store_id = $store and status = 'waiting'");
    let recent: any[] = [];
    await until(async () => {
      ({ recent } = await settings());
      return recent.every(({ status }) => status === 'failed');
    }, 'both to end');
    expect(recent.map(({ reason }) => reason)).to.deep.equal(['not_wanted', 'not_wanted']);
  });

  it('does not say that something is over of which nobody was told that it began', async () => {
    await save({ sender_id: await outbox() });
    await choose(await signedIn(service, storeId, 'owner'), { attention: true });
    for (let n = 1; n <= 4; n += 1) {
      await failAutomation(`Number ${n}`);
      await looked();
      await sent(n);
    }
    const short = await failAutomation('Number 5');
    await looked();
    await wake(short);
    await looked();
    await query("update attention_item set gone_at = gone_at - interval '1 hour' where gone_at is not null");
    await query('delete from notification where store_id = $store');
    await looked();
    await failAutomation('Number 6');
    await looked();
    const [last] = await sent(1);
    expect(last.subject).to.match(/: Runs of an automation have failed$/);
    expect((await contentOf(last.id)).text)
      .to.include('Number 6')
      .and.not.to.include('Number 5');
  });

  it('has no store wait for all that another is told', async () => {
    await save({ sender_id: await outbox() });
    const other = await service.newStore();
    const ben = await signedIn(service, other, 'owner');
    const ada = await signedIn(service, storeId, 'owner');
    await choose(ada, { attention: true });
    const one = (store: string, email: string, count: number, due: string) => `
      insert into notification (store_id, id, kind, person_id, subject, content, status, attempts, due_at, created_at)
      select ${store}, gen_random_uuid(), 'attention', id, 'One', '{"subject": "One", "text": "", "html": ""}', 'waiting', 0,
        now() - interval '${due}', now()
      from person, generate_series(1, ${count}) where email = '${email}';`;
    await query(
      `begin; ${one(`'${other}'`, ben.email, 300, '1 hour')} ${one('$store', ada.email, 1, '1 second')} commit`,
    );
    await sent(1);
    const [{ before }] = await query(`
      select count(*)::int as before from notification o join notification n on n.store_id = $store
      where o.store_id = '${other}' and o.finished_at < n.finished_at`);
    expect(before).to.be.lessThan(100);
    await query(`delete from notification where store_id = '${other}'`);
  });

  describe('The weekly report', () => {
    const weekAgo = () =>
      query('update notification_settings set reported_week = reported_week - 7 where store_id = $store');
    const reported = async () => {
      const [row] = await query(
        'select reported_week::text as week from notification_settings where store_id = $store',
      );
      return row.week;
    };

    it('goes once to each of those who want it and may have it, with the numbers of the week', async () => {
      await client.send(
        'PATCH',
        '/v1/store',
        JSON.stringify({ display_name: 'Café Löwe', time_zone: 'Asia/Tokyo', currency: 'EUR' }),
        { headers: JSON_TYPE, expect: 200 },
      );
      await save({ sender_id: await outbox() });
      const [ada, ben, eve] = [
        await signedIn(service, storeId, 'owner'),
        await signedIn(service, storeId, 'analyst'),
        await signedIn(service, storeId, 'support'),
      ];
      for (const one of [ada, ben, eve]) await choose(one, { weekly_report: true });
      await looked();
      expect((await settings()).recent).to.deep.equal([]);
      const monday = await reported();
      // One order in the first quarter of an hour of the week, and one just before it.
      await query(`
        insert into order_quarter (store_id, start, currency, orders, amount, refunded, cancelled, first_orders)
        select $store, (date '${monday}' - d)::timestamp at time zone 'Asia/Tokyo' + t, 'EUR', 1, a, 0, 0, n
        from (values (7, interval '0', 120, 1), (7, interval '-15 minutes', 60, 0), (0, interval '0', 999, 1)) v (d, t, a, n)`);
      await weekAgo();
      await looked();
      const mails = await sent(2);
      expect(mails.map(({ kind }) => kind)).to.deep.equal(['weekly_report', 'weekly_report']);
      const { subject, text, html } = await contentOf(mails[0].id);
      expect(subject).to.match(/^Café Löwe: the week of \d/);
      expect(text).to.match(/Revenue less refunds +€120\.00 +€60\.00 +\+100 %/);
      expect(text).to.match(/Orders +1 +1 +the same/);
      expect(text).to.match(/New customers +1 +0 +–/);
      expect(text).to.match(/What messages brought\n- No orders/);
      expect(text).to.match(/Needs attention\n- Nothing/);
      expect(html).to.include('<th scope="row"').and.to.include('€120.00');
      await weekAgo();
      await looked();
      expect(await reported()).to.equal(monday);
      await sent(2);
    });

    it('that can not be summed up keeps nobody from being told what needs attention', async () => {
      await save({ sender_id: await outbox() });
      await choose(await signedIn(service, storeId, 'owner'), { attention: true, weekly_report: true });
      await looked();
      await weekAgo();
      await failAutomation('Welcome');
      await query('alter table attribution rename to attribution_away');
      try {
        await looked();
        expect((await sent(1))[0].kind).to.equal('attention');
      } finally {
        await query('alter table attribution_away rename to attribution');
      }
      await looked();
      expect((await sent(2))[1].kind).to.equal('weekly_report');
    });

    it('is not sent where nobody is to send it, nor later for that week', async () => {
      await choose(await signedIn(service, storeId, 'owner'), { weekly_report: true });
      await looked();
      const monday = await reported();
      await weekAgo();
      await looked();
      expect(await reported()).to.equal(monday);
      await save({ sender_id: await outbox() });
      await looked();
      expect((await settings()).recent).to.deep.equal([]);
    });
  });
});
