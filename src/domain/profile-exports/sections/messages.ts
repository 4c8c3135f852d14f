import { sql } from 'kysely';
import { beside, byProfile, nameOf, plain, type Section, sizeOf, timeOf, times } from '../section.ts';
import type { Exported } from '../subject.ts';

/** What the template says in its first language, as it is written: an outbox alone keeps what became of it. */
const SUBJECT = sql`to_json(coalesce(
  (select o.content ->> 'subject' from outbox_message o where o.store_id = r.store_id and o.message_id = r.id),
  (select v.draft -> 'content' ->> 'subject' from template_version v
   where v.store_id = r.store_id and v.template_id = r.template_id and v.number = r.template_version)))`;

export const MESSAGES: Section = {
  name: 'messages',
  columns: {
    ...plain('id', 'channel', 'class', 'source', 'source_id', 'run_id', 'step_id'),
    ...plain('template_id', 'template_version'),
    template_name: nameOf('template', 'template_id'),
    subject: SUBJECT,
    ...plain('sender_id'),
    sender_name: nameOf('sender', 'sender_id'),
    ...plain('address', 'status', 'reason'),
    ...times('created_at', 'due_at', 'finished_at', 'delivered_at', 'bounced_at', 'complained_at'),
    sent_at: timeOf(sql`r.begun_at`),
    ...plain('opens', 'clicks', 'machine_opens', 'machine_clicks'),
    ...times('opened_at', 'clicked_at'),
    ...plain('variant', 'segments', 'response', 'context'),
  },
  key: { id: 'uuid' },
  rows: byProfile('message'),
  bytes: sizeOf('context'),
};

/** As long as an outbox keeps them. */
export const CONTENTS: Section = {
  name: 'message_contents',
  columns: { ...plain('message_id'), ...times('created_at'), ...plain('content') },
  key: { message_id: 'uuid' },
  rows: beside('outbox_message', 'message_id', 'message'),
  bytes: sql`size * 2`,
};

export const HITS: Section = {
  name: 'message_requests',
  columns: { ...plain('id', 'message_id', 'kind', 'url', 'link', 'is_machine'), ...times('hit_at', 'judged_at') },
  key: { message_id: 'uuid', id: 'uuid' },
  rows: beside('message_hit', 'message_id', 'message'),
};

export const TOUCHES: Section = {
  name: 'opens_and_clicks',
  columns: { ...plain('kind', 'message_id'), ...times('touched_at') },
  key: { kind: 'text', touched_at: 'timestamptz', message_id: 'uuid' },
  rows: byProfile('message_touch'),
};

export const COUNTED_WEBHOOKS: Section = {
  name: 'counted_webhooks',
  columns: { ...plain('channel', 'run_id', 'seq'), ...times('counted_at') },
  key: { channel: 'text', run_id: 'uuid', seq: 'int4' },
  rows: byProfile('counted_webhook'),
};

export const FEEDBACK: Section = {
  name: 'feedback',
  columns: {
    ...plain('message_id', 'item_id', 'kind'),
    ...times('occurred_at', 'received_at'),
    ...plain('fault', 'status_code', 'raw'),
  },
  key: { message_id: 'uuid', sender_id: 'uuid', item_id: 'text' },
  rows: beside('feedback', 'message_id', 'message'),
};

const byDigests =
  (table: 'soft_bounce' | 'suppressed_address') =>
  ({ storeId, digests }: Exported) =>
    sql`
  select t.* from ${sql.table(table)} t
  where t.store_id = ${storeId} and t.digest = any(array(
    select decode(digest, 'hex')
    from json_array_elements_text(${JSON.stringify(digests.map((one) => one.toString('hex')))}::json) as d (digest)))`;

export const SOFT_BOUNCES: Section = {
  name: 'soft_bounces',
  columns: { ...plain('message_id'), ...times('bounced_at') },
  key: { digest: 'bytea', message_id: 'uuid' },
  rows: byDigests('soft_bounce'),
  findsAll: true,
};

export const SUPPRESSED_ADDRESSES: Section = {
  name: 'suppressed_addresses',
  columns: { ...plain('address', 'reason'), ...times('created_at', 'until') },
  key: { id: 'uuid' },
  rows: byDigests('suppressed_address'),
  findsAll: true,
};
