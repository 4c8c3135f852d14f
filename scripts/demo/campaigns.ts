import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Client, TemplateInput } from '../../src/client/index.ts';
import type { Database } from '../../src/db/orm.ts';
import type { Sql } from '../../src/db/sql.ts';
import type { Customer } from './customers.ts';
import type { Filling } from './filling.ts';

const DAY = 86_400_000;
const NEWS: TemplateInput = {
  name: 'News of the week',
  kind: 'html',
  subject: 'New this week',
  preheader: 'Six things that have just come in.',
  body: `<html><body style="font-family: sans-serif; color: #1f2933">
  <h1>Hello {{ profile.attributes.first_name | default: "there" }}</h1>
  <p>Six things have come in this week, and two are back.</p>
  <p><a href="https://shop.example/new">See what is new</a> or <a href="https://shop.example/back">what is back</a>.</p>
  <p style="font-size: 12px"><a href="{{ unsubscribe_url }}">Unsubscribe</a></p>
</body></html>`,
};
/** Of readers who have clicked, who then buy. */
const BUYERS = 6;

/** Milliseconds between two looks at whether all is sent, and how often: where a service is slower, it goes on by itself. */
const [LOOK_MS, LOOKS] = [200, 150];

/**
 * Sends a campaign with two subjects to a list, whose mails the outbox keeps, and has its readers do something with them: in
 * the database, as the service would take a program for a program. One waits for its time, and one is a draft. Returns how many
 * there are. `readers` have subscribed.
 */
export async function sendCampaigns(
  client: Client,
  database: Database,
  { listId, readers }: { listId: string; readers: readonly Customer[] },
  filling: Filling,
): Promise<number> {
  const { updated_at: _, ...settings } = await client.getMessageSettings();
  await client.updateMessageSettings({ ...settings, postal_address: 'Café Löwe, Marktplatz 1, 12345 Musterstadt' });
  const template = await publishedTemplate(client, filling);
  const audience = { any: [{ list: listId }], not: [] };
  const create = (name: string, more: object = {}) =>
    client.createCampaign({
      ...{ name, channel: 'email', template_id: template, audience },
      ...more,
      ...filling.once(`campaign ${name}`),
    });
  const { id: news } = await create('News of the week', {
    hold_out_percent: 10,
    test: {
      variants: [{ subject: 'New this week' }, { subject: 'Six things you have not seen yet' }],
      ...{ percent: 100, decide_by: 'clicks', after: 'PT4H', if_unclear: 'first' },
    },
  });
  const { id: later } = await create('Before the holidays');
  await create('Thank you for this year');
  const inThreeDays = new Date(filling.begunAt.getTime() + 3 * DAY).toISOString();
  await begin(client, later, inThreeDays);
  await begin(client, news);
  for (let looks = 0; looks < LOOKS && (await client.getCampaign({ id: news })).status !== 'sent'; looks += 1) {
    await sleep(LOOK_MS);
  }
  await buy(client, readers.slice(0, BUYERS), filling);
  const { store } = await client.getCurrentApiKey();
  await database.stores
    .of(store.id)
    .transaction()
    .execute((tx) => react(tx, store.id, news));
  return 3;
}

async function publishedTemplate(client: Client, filling: Filling): Promise<string> {
  const { id } = await client.createTemplate({ ...NEWS, ...filling.once(`template ${NEWS.name}`) });
  const { revision, version } = await client.getTemplate({ id });
  if (version === null) await client.publishTemplate({ id, revision });
  return id;
}

async function begin(client: Client, id: string, at?: string): Promise<void> {
  const { status, revision } = await client.getCampaign({ id });
  if (status === 'draft') await client.scheduleCampaign({ id, revision, ...(at && { at }) });
}

async function buy(client: Client, readers: readonly Customer[], filling: Filling): Promise<void> {
  const events = readers.map(({ external_id, email }, n) => ({
    event_type: 'placed_order',
    profile: { external_id, email },
    properties: { order_id: `ord_news_${n}`, value: 24.5 + n * 11, currency: 'EUR' },
  }));
  await client.createEventsBulk({ events: filling.events('after the news', events) });
}

/** Two of five open, more of them click at the second subject, who buys has clicked; and programs open, too. Once. */
async function react(tx: Sql, storeId: string, campaignId: string): Promise<void> {
  await sql`
    with buyer as (
      select profile_id from event where store_id = ${storeId} and properties ->> 'order_id' like 'ord_news_%'
    ), sent as (
      select id, row_number() over (order by id) as n,
        case when variant = 2 then 5 else 9 end as clicks_of, profile_id in (select profile_id from buyer) as buys
      from message
      where store_id = ${storeId} and source_id = ${campaignId} and status = 'sent' and not exists (
        select from message where store_id = ${storeId} and source_id = ${campaignId} and opened_at is not null
      )
    )
    update message m
    set opened_at = case when s.buys or n % 5 < 2 then now() end, opens = (s.buys or n % 5 < 2)::int,
      clicked_at = case when s.buys or n % clicks_of = 0 then now() end, clicks = (s.buys or n % clicks_of = 0)::int,
      machine_opens = (n % 3 = 0)::int, machine_clicks = (n % 40 = 0)::int
    from sent s where m.store_id = ${storeId} and m.id = s.id`.execute(tx);
  await sql`
    insert into attribution (store_id, event_id, profile_id, message_id, source, source_id, template_id, template_version,
      ordered_at, touched_at, click_window_ms, is_placed, touch, order_id, currency, value)
    select e.store_id, e.id, e.profile_id, m.id, 'campaign', m.source_id, m.template_id, m.template_version,
      e.occurred_at, m.clicked_at, ${5 * DAY}, true, 'click', e.properties ->> 'order_id', e.properties ->> 'currency',
      (e.properties ->> 'value')::numeric
    from event e
    join message m on m.store_id = e.store_id and m.profile_id = e.profile_id and m.source_id = ${campaignId}
    where e.store_id = ${storeId} and e.properties ->> 'order_id' like 'ord_news_%' and m.clicked_at is not null
    on conflict do nothing`.execute(tx);
}
