import { expect } from 'chai';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/orm.ts';
import { saveMessageSettings } from '../support/message-settings.ts';
import { createDatabase } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { TcpProxy } from '../support/proxy.ts';
import { TestService } from '../support/service.ts';
import { openPath, PERSON, letTimePass as passTime, judged as waitForJudgement } from './support/hits.ts';
import { Shop } from './support/shop.ts';

const ADA = 'ada@shop.example';
const TRACKING = { opens: true, clicks: true, transactional: false, sent: false, delivered: false };
const BODY = `<html><body><p>Hello</p>
<a href="https://shop.example/sale?a=1&amp;b=ä">Sale</a>
{% for item in data.items %}<a href="{{ item.url }}">{{ item.name }}</a>{% endfor %}
<a href="https://shop.example/quiet" data-track="off">Quiet</a>
<a href="mailto:hello@shop.example">Write</a>
<a href="{{ view_url }}">View</a><a href="{{ preferences_url }}">Choose</a>
<a href="{{ unsubscribe_url }}">Unsubscribe</a></body></html>`;
const ITEMS = ['https://shop.example/p/1', 'https://shop.example/p/2'].map((url) => ({ url, name: 'One' }));

let service: TestService;
let shop: Shop;
let customer: string;

before(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  shop = await Shop.open(service);
  customer = await shop.customer(ADA);
});
after(() => service.stop());

const open = (path: string, headers?: Record<string, string>, method?: string) =>
  openPath(service, path, headers, method);

/** What a message has of what is tracked, as paths of the service. */
interface Sent {
  id: string;
  html: string;
  text: string;
  clicks: string[];
  hidden: string | undefined;
  pixel: string | undefined;
}

async function send(draft: object = {}, more: object = {}): Promise<Sent> {
  const id = await shop.send(await shop.template({ body: BODY, ...draft }), ADA, { data: { items: ITEMS }, ...more });
  expect((await shop.ended(id)).status).to.equal('sent');
  const { html, text } = await shop.content(id);
  const paths = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, path = '']) => path.replaceAll('&amp;', '&'));
  const links = paths(/"[^"]*?(\/m\/c\/[^"]*)"/g);
  const [pixel] = paths(/<img src="[^"]*?(\/m\/o\/[^"]*)"/g);
  return {
    id,
    html,
    text,
    clicks: links.filter((path: string) => path.includes('?')),
    hidden: links.find((path: string) => !path.includes('?')),
    pixel,
  };
}

const letTimePass = (id: string, count: number) => passTime(shop, id, count);
const judged = (id: string, count: number) => waitForJudgement(shop, id, count);

const events = async (eventType: string) =>
  (await shop.client.get<any>(`/v1/events?event_type=${eventType}`, { expect: 200 })).body.events;

const track = (tracking: object) => saveMessageSettings(shop.client, { tracking }, 200);

describe('Links of a message', () => {
  it('lead by way of the service where they lead to the web, however they came into the message', async () => {
    const { clicks, html, text } = await send();
    expect(clicks).to.have.length(3);
    const places = await Promise.all(clicks.map(async (path) => (await open(path)).headers.get('location')));
    expect(places).to.deep.equal(['https://shop.example/sale?a=1&b=%C3%A4', ...ITEMS.map(({ url }) => url)]);
    expect(html).to.include('"https://shop.example/quiet"').and.include('"mailto:hello@shop.example"');
    expect(html)
      .to.match(/"[^"]*\/m\/u\/[\w-]+"/)
      .and.match(/"[^"]*\/m\/v\/[\w-]+"/);
    expect(text).to.match(/Sale \([^)]*\/m\/c\//);
    expect(html + text).not.to.include(ADA);
  });

  it('are redirected without a cookie or a trace of where from', async () => {
    const { clicks } = await send();
    const response = await open(clicks[0] as string);
    expect(response.status).to.equal(302);
    expect(response.headers.get('set-cookie')).to.equal(null);
    expect(response.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('x-robots-tag')).to.include('noindex');
  });

  it('lead nowhere else, cut, altered or of another kind', async () => {
    const { clicks, hidden = '', pixel = '' } = await send();
    const other = new URL((await send()).clicks[0] as string, service.url);
    const [first = '', second = ''] = clicks;
    const url = new URL(first, service.url);
    const token = url.pathname.slice('/m/c/'.length);
    const evil = encodeURIComponent('https://evil.example/');
    const altered = `${token.slice(0, 30)}${token[30] === 'A' ? 'B' : 'A'}${token.slice(31)}`;
    for (const path of [
      `/m/c/${token}`,
      `/m/c/${token}?u=${evil}`,
      `/m/c/${token}${url.search}&u=${evil}`,
      `/m/c/${token}?u=${evil}&${url.search.slice(1)}`,
      `/m/c/${token}${new URL(second, service.url).search}`,
      `/m/c/${token.slice(0, -1)}${url.search}`,
      `/m/c/${altered}${url.search}`,
      `${hidden}?u=${evil}`,
      `${pixel.replace('/m/o/', '/m/c/')}?u=${evil}`,
      `/m/c/${'a'.repeat(3_000)}?u=${evil}`,
      `/m/c/${token}?u=javascript:alert(1)`,
      `/m/c/?u=${evil}`,
    ]) {
      const response = await open(path);
      expect(response.status, path).to.equal(404);
      expect(response.headers.get('location'), path).to.equal(null);
    }
    // What a program adds on the way does no harm.
    expect((await open(`${first}&utm_source=x`)).headers.get('location')).to.match(/^https:\/\/shop\.example\/sale/);
    expect((await open(other.pathname + other.search)).status).to.equal(302);
  });

  it('work once the message is deleted, and then nothing is recorded', async () => {
    const { id, clicks } = await send();
    await shop.query(`delete from message where id = '${id}'`);
    expect((await open(clicks[0] as string)).status).to.equal(302);
    const later = await send();
    await open(later.clicks[0] as string);
    await letTimePass(later.id, 1);
    expect(await shop.query(`select from message_hit where message_id = '${id}'`)).to.deep.equal([]);
  });

  it('work, and are counted later, while the table is locked', async () => {
    const { id, clicks } = await send();
    const other = await openDatabase(service.database.address, 1, {});
    try {
      await other.sql.transaction().execute(async (tx) => {
        await sql`lock table message_hit in access exclusive mode`.execute(tx);
        expect((await open(clicks[0] as string)).status).to.equal(302);
      });
    } finally {
      await other.close();
    }
    expect(await judged(id, 1)).to.include({ clicks: 1 });
  });

  it('work after a key was replaced, as long as the one before is known', async () => {
    const database = await createDatabase();
    const [before, now] = ['a'.repeat(32), 'b'.repeat(32)];
    let path = '';
    const first = await TestService.start({ SECRET_KEY: before }, database);
    try {
      const own = await Shop.open(first);
      await own.customer(ADA);
      const id = await own.send(await own.template({ body: BODY }), ADA);
      await own.ended(id);
      [, path = ''] = /"[^"]*?(\/m\/c\/[^"]*\?[^"]*)"/.exec((await own.content(id)).html) ?? [];
    } finally {
      await first.stopService();
    }
    const second = await TestService.start({ SECRET_KEY: `${now},${before}` }, database);
    try {
      const response = await fetch(`${second.url}${path.replaceAll('&amp;', '&')}`, { redirect: 'manual' });
      expect(response.status).to.equal(302);
    } finally {
      await second.stop();
    }
  });

  it('work while the database is away, and what was followed meanwhile is recorded once it is back', async () => {
    const network = await TcpProxy.start(service.database.url);
    const cut = await TestService.start({ DATABASE_URL: network.url }, service.database);
    try {
      const { id, clicks, pixel } = await send();
      network.cut();
      const away = (path: string) => fetch(`${cut.url}${path}`, { redirect: 'manual', headers: PERSON });
      expect((await away(clicks[0] as string)).status).to.equal(302);
      expect((await away(pixel as string)).status).to.equal(200);
      network.heal();
      expect(await judged(id, 2)).to.include({ clicks: 1, opens: 1 });
    } finally {
      await cut.stopService();
      await network.stop();
    }
  });

  it('are counted for their message, by the minute', async () => {
    const { clicks } = await send();
    const statuses = await Promise.all(
      Array.from({ length: 61 }, async () => (await open(clicks[0] as string)).status),
    );
    expect(statuses.filter((status) => status === 302)).to.have.length(60);
    expect(statuses.filter((status) => status === 429)).to.have.length(1);
  });
});

describe('What people do with a message', () => {
  it('is shown with it, and becomes events of the customer', async () => {
    const { id, clicks, pixel } = await send();
    const [sale = '', item = ''] = clicks;
    for (const path of [pixel as string, pixel as string, sale]) await open(path);
    const message = await judged(id, 3);
    expect(message).to.include({ opens: 2, clicks: 1, machine_opens: 0, machine_clicks: 0 });
    expect(message.opened_at).to.be.a('string');
    expect(message.clicked_at).to.be.a('string');
    const [opened, ...more] = await events('email_opened');
    expect(more).to.deep.equal([]);
    expect(opened).to.include({ profile_id: customer, occurred_at: message.opened_at });
    const of = { message_id: id, template_id: message.template_id, version: 1 };
    expect(opened.properties).to.deep.equal(of);
    const [clicked] = await events('email_clicked');
    expect(clicked.properties).to.deep.equal({ ...of, link: 1, url: 'https://shop.example/sale?a=1&b=%C3%A4' });

    // The same link again is counted, and no event; another one is.
    await open(sale);
    await open(item);
    expect(await judged(id, 5)).to.include({ opens: 2, clicks: 3, opened_at: message.opened_at });
    expect(await events('email_opened')).to.have.length(1);
    expect((await events('email_clicked')).map(({ properties }: any) => properties.url)).to.deep.equal([
      ITEMS[0]?.url,
      'https://shop.example/sale?a=1&b=%C3%A4',
    ]);
    const { messages } = (await shop.client.get<any>('/v1/messages')).body;
    expect(messages[0]).to.include({ id, clicks: 3 });
  });

  it('is recorded fifty times in a day, and no more', async () => {
    const { id, pixel } = await send();
    await open(pixel as string);
    await letTimePass(id, 1);
    const values = `'${shop.storeId}', '${id}', gen_random_uuid(), now() - interval '1 minute', 'open', false`;
    await shop.query(
      `insert into message_hit (store_id, message_id, id, hit_at, kind, is_machine) select ${values} from generate_series(1, 48)`,
    );
    await Promise.all([open(pixel as string), open(pixel as string), open(pixel as string)]);
    expect(await judged(id, 50)).to.include({ opens: 50 });
  });

  it('is nobody else’s to say: pages can not send such events', async () => {
    const { key: company } = await service.newKey({ storeId: shop.storeId, scopes: ['client:write'] });
    const attributes = (name: string) => ({
      data: {
        type: 'event',
        attributes: {
          properties: {},
          metric: { data: { type: 'metric', attributes: { name } } },
          profile: { data: { type: 'profile', attributes: { email: ADA } } },
        },
      },
    });
    const post = (name: string) =>
      fetch(`${service.url}/compat/v1/client/events?company_id=${company}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(attributes(name)),
      });
    for (const name of ['email_opened', 'Email Clicked']) {
      const response = await post(name);
      expect(response.status, name).to.equal(400);
      const { errors } = (await response.json()) as any;
      expect(errors[0].detail).to.include('event_type');
      expect(errors[0].source.pointer).to.include('metric');
    }
    expect((await post('Viewed Product')).status).to.equal(202);
  });
});

describe('What machines do with a message', () => {
  it('is counted apart if it follows many links at once', async () => {
    const { id, clicks } = await send();
    for (const path of clicks) await open(path);
    expect(await judged(id, 3)).to.include({ clicks: 0, machine_clicks: 3, clicked_at: null });
    expect(await events('email_clicked')).to.deep.equal([]);
  });

  it('is counted apart if it opens what nobody sees', async () => {
    const { id, clicks, hidden, pixel } = await send();
    const page = await open(hidden as string);
    expect(page.status).to.equal(200);
    expect(page.headers.get('location')).to.equal(null);
    await open(clicks[0] as string);
    await open(pixel as string);
    expect(await judged(id, 3)).to.include({ clicks: 0, machine_clicks: 2, opens: 0, machine_opens: 1 });
  });

  it('is counted apart if it says so', async () => {
    const { id, clicks, pixel = '' } = await send();
    const link = clicks[0] as string;
    await open(link, PERSON, 'HEAD');
    for (const agent of ['', 'Mozilla/5.0', 'Mozilla/5.0 (compatible; ExampleBot/1.0)', 'curl/8.5.0']) {
      await open(link, { 'User-Agent': agent });
    }
    await open(link, { ...PERSON, 'Sec-Purpose': 'prefetch;prerender' });
    await open(pixel, { 'User-Agent': 'Mozilla/5.0' });
    await open(pixel, { 'User-Agent': 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)' });
    const counts = { clicks: 0, machine_clicks: 6, opens: 1, machine_opens: 1 };
    expect(await judged(id, 8)).to.include(counts);
    expect(await events('email_clicked')).to.deep.equal([]);
    expect(await events('email_opened')).to.have.length(1);
  });

  it('is counted apart if it comes as soon as the message is handed over', async () => {
    const { id, pixel } = await send();
    await open(pixel as string);
    await until(
      async () => (await shop.query(`select from message_hit where message_id = '${id}'`)).length === 1,
      'a hit is recorded',
    );
    await shop.query(`update message_hit set hit_at = hit_at - interval '30 s' where message_id = '${id}'`);
    await until(async () => (await shop.message(id)).machine_opens === 1, 'it is judged');
    expect(await shop.message(id)).to.include({ opens: 0, opened_at: null });
  });
});

describe('The image of a message', () => {
  it('is the same for everybody, whatever they ask for', async () => {
    const { pixel = '' } = await send();
    const bodies = await Promise.all(
      [pixel, `${pixel}x`, '/m/o/nothing', '/m/o/'.padEnd(3_000, 'a')].map(async (path) => {
        const response = await open(path);
        expect(response.status, path).to.equal(200);
        expect(response.headers.get('content-type')).to.equal('image/gif');
        expect(response.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
        return Buffer.from(await response.arrayBuffer()).toString('hex');
      }),
    );
    expect(new Set(bodies).size).to.equal(1);
    expect(bodies[0]).to.match(/^474946383961/);
  });

  it('stands at the end of what is shown', async () => {
    expect((await send()).html).to.match(/<img src="[^"]*\/m\/o\/[\w-]{70}"[^>]*><\/body><\/html>$/);
  });
});

describe('Nothing is tracked', () => {
  const isTracked = async (draft: object = {}) => {
    const { clicks, hidden, pixel } = await send(draft);
    return { clicks: clicks.length > 0, hidden: hidden !== undefined, opens: pixel !== undefined };
  };

  it('that the store has switched off', async () => {
    expect(await isTracked()).to.deep.equal({ clicks: true, hidden: true, opens: true });
    await track({ ...TRACKING, opens: false });
    await until(async () => !(await isTracked()).opens, 'the settings are read anew');
    expect(await isTracked()).to.deep.equal({ clicks: true, hidden: true, opens: false });
    await track({ ...TRACKING, clicks: false, opens: false });
    await until(async () => !(await isTracked()).clicks, 'the settings are read anew');
    expect(await isTracked()).to.deep.equal({ clicks: false, hidden: false, opens: false });
  });

  it('of transactional messages, unless the store says so', async () => {
    const none = { clicks: false, hidden: false, opens: false };
    expect(await isTracked({ class: 'transactional' })).to.deep.equal(none);
    await track({ ...TRACKING, transactional: true });
    await until(async () => (await isTracked({ class: 'transactional' })).opens, 'the settings are read anew');
  });

  it('of a customer who does not want it', async () => {
    const attributes = { do_not_track: true };
    await shop.client.post('/v1/profiles/upsert', { identifiers: { email: ADA }, attributes }, { expect: 200 });
    expect(await isTracked()).to.deep.equal({ clicks: false, hidden: false, opens: false });
  });
});
