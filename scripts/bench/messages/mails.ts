import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../src/db/orm.ts';
import type { Stage, Store } from '../automations/stage.ts';
import type { Target } from '../service.ts';

/** Messages in a second and at a time that the measured senders may have: more than they can. */
const AMPLE = { max_per_second: 10_000, max_concurrent: 100 };

/** Settings with which this machine can be sent to. */
export const SENDABLE = {
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  PUBLIC_URL: 'https://mail.shop.example',
  MESSAGE_MAX_PER_SECOND: String(AMPLE.max_per_second),
};

/** Customers and messages of one statement. */
const STEP = 20_000;
const ITEMS = 4;

/** About 24 KB with 12 outputs and 20 links, as newsletters have. */
function newsletter(): string {
  const style = 'margin:0 0 16px;font-family:Georgia,serif;font-size:16px;line-height:24px;color:#333333';
  const words = 'What is new this week, and what you may have missed while you were away. '.repeat(12);
  const section = (n: number) => `
    <table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td style="padding:24px">
      <h2 style="${style};font-size:22px">Section ${n}</h2><p style="${style}">${words}</p>
      <p style="${style}"><a href="https://shop.example/week/${n}">Read more</a></p>
    </td></tr></table>`;
  return `<!doctype html><html lang="en"><head><title>News</title></head><body>
    <p style="${style}">Hello {{ profile.attributes.first_name | default: "you" }},</p>
    <ul>{% for item in data.items %}<li>{{ item.title }}: {{ item.price | money: "EUR" }}</li>{% endfor %}</ul>
    ${Array.from({ length: 18 }, (_, n) => section(n)).join('')}
    <p style="${style}">{{ profile.identifiers.email }}</p>
    <p style="${style}"><a href="{{ preferences_url }}">Preferences</a> <a href="{{ unsubscribe_url }}">Unsubscribe</a></p>
  </body></html>`;
}

export type Class = 'marketing' | 'transactional';

/** A template as a shop would publish it. Returns its id. */
export async function newTemplate(service: Target, store: Store, ofClass: Class = 'marketing'): Promise<string> {
  const draft = { name: 'News', kind: 'html', class: ofClass, subject: 'News for {{ profile.attributes.first_name }}' };
  const { id } = await post(service, store, '/v1/templates', { ...draft, body: newsletter() });
  await post(service, store, `/v1/templates/${id}/publish`, { revision: 1 });
  return id;
}

/** A sender whose relay listens on this machine, as if its checks held. Returns its id. */
export async function newSender(stage: Stage, service: Target, store: Store, port: number, more: object = {}) {
  const settings = { host: '127.0.0.1', port, security: 'starttls' };
  const sender = { name: 'Relay', kind: 'smtp', from_email: 'news@shop.example', settings, ...AMPLE, ...more };
  const { id } = await post(service, store, '/v1/senders', sender);
  await sql`
    update sender set checks = '[{"name":"connection","ok":true,"detail":""}]', checked_at = now()
    where store_id = ${store.id} and id = ${id}`.execute(stage.sql);
  return id;
}

export async function post({ url }: Target, { key }: Store, path: string, body: object): Promise<{ id: string }> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path} got ${response.status}: ${JSON.stringify(answer)}`);
  return answer as { id: string };
}

export interface Queued {
  senderId: string;
  templateId: string;
  count: number;
  dueAt?: RawBuilder<unknown>;
}

/** Queues a marketing message to each of so many new customers, who have subscribed. */
export async function queue(db: Sql, { id }: Store, { senderId, templateId, count, dueAt = sql`now()` }: Queued) {
  const items = Array.from({ length: ITEMS }, (_, n) => ({ title: `Number ${n}`, price: 19.95 + n }));
  const context = JSON.stringify({ data: { items }, event: null });
  for (let from = 0; from < count; from += STEP) {
    await sql`
      with customer as materialized (
        select n, uuidv7() as id, format('news-%s@example.com', uuidv7()) as email
        from generate_series(${from + 1}::int, ${Math.min(from + STEP, count)}::int) n
      ), known as (
        insert into profile (store_id, id, email, attributes, created_at, updated_at)
        select ${id}::uuid, id, email, '{"first_name": "Ada", "loyalty_tier": "gold"}', now(), now() from customer
      ), named as (
        insert into profile_identifier (store_id, kind, value, profile_id)
        select ${id}::uuid, 'email', email, id from customer
      ), subscribed as (
        insert into consent (store_id, profile_id, channel, status, changed_at)
        select ${id}::uuid, id, 'email', 'subscribed', now() from customer
      )
      insert into message (store_id, id, profile_id, sender_id, template_id, template_version, channel, class, source,
        status, context, created_at, due_at)
      select ${id}::uuid, uuidv7(), id, ${senderId}::uuid, ${templateId}::uuid, 1, 'email', 'marketing', 'request',
        'waiting', ${context}::jsonb, now(), ${dueAt} from customer`.execute(db);
  }
}
