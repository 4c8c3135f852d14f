import { defineEntity, p } from '@mikro-orm/postgresql';

/** A message to a customer. */
export const MessageEntity = defineEntity({
  name: 'Message',
  tableName: 'message',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    profileId: p.uuid(),
    senderId: p.uuid(),
    /** Null: the text of the service. */
    templateId: p.uuid().nullable(),
    /** The automation or the campaign; null for one of a request. */
    sourceId: p.uuid().nullable(),
    /** The run that sends it, and the number of its effect. */
    runId: p.uuid().nullable(),
    createdAt: p.datetime(3),
    /** When to send it; while a process has it, when others may; null once nothing more is to be done. */
    dueAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    /** When it was last handed over, whatever came of that. */
    begunAt: p.datetime(3).nullable(),
    finishedAt: p.datetime(3).nullable(),
    templateVersion: p.integer().nullable(),
    seq: p.integer().nullable(),
    /** Of a campaign, from 1; null for one that is no part of its test. */
    variant: p.smallint().nullable(),
    /** The step of the run. */
    stepId: p.text().nullable(),
    /** Of a text message, once it was made. */
    segments: p.integer().nullable(),
    /** Attempts to hand it over that have failed. */
    attempt: p.integer().default(0),
    /** Grows whenever a process takes it: only the last one may say what has become of it. */
    claim: p.integer().default(0),
    /** Whether the run waits for what becomes of it. */
    isAwaited: p.boolean().default(false),
    /** By people, and of machines; of the first by people, when. */
    opens: p.integer().default(0),
    clicks: p.integer().default(0),
    machineOpens: p.integer().default(0),
    machineClicks: p.integer().default(0),
    openedAt: p.datetime(3).nullable(),
    clickedAt: p.datetime(3).nullable(),
    /** When it was told of first, as its provider says when. */
    deliveredAt: p.datetime(3).nullable(),
    bouncedAt: p.datetime(3).nullable(),
    complainedAt: p.datetime(3).nullable(),
    channel: p.enum(['email', 'sms']),
    class: p.enum(['marketing', 'transactional']),
    source: p.enum(['request', 'automation', 'campaign']),
    status: p.enum([
      'waiting',
      'claimed',
      'sending',
      'sent',
      'delivered',
      'bounced',
      'complained',
      'skipped',
      'failed',
      'expired',
      'cancelled',
      'unknown',
    ]),
    /** Why it was skipped, failed or is unknown. */
    reason: p.text().nullable(),
    /** Where it was sent to. */
    address: p.text().nullable(),
    /** What the relay said last. */
    response: p.text().nullable(),
    /** What it says besides what is known of the customer: `{ data, event }`. */
    context: p.json().nullable(),
  },
  indexes: [
    { name: 'message_of_profile', properties: ['storeId', 'profileId', 'id'] },
    {
      name: 'message_marketed',
      properties: ['storeId', 'profileId', 'begunAt'],
      where: "class = 'marketing' and begun_at is not null",
    },
    { name: 'message_due', properties: ['storeId', 'senderId', 'dueAt'], where: 'due_at is not null' },
    {
      name: 'message_under_way',
      expression: `create index message_under_way on message (store_id, sender_id, due_at)
        where status in ('claimed', 'sending')`,
    },
    {
      name: 'message_of_no_campaign',
      properties: ['storeId', 'senderId', 'class', 'dueAt', 'id'],
      where: "due_at is not null and source <> 'campaign'",
    },
    { name: 'message_unknown', properties: ['storeId', 'id'], where: "status = 'unknown'" },
  ],
});
