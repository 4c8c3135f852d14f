import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** A request that an automation sends, until it is received: always the same id and bytes. */
export const WebhookDeliveryEntity = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    endpointId: p.uuid(),
    /** The run that sent it, and the number of its effect; null for a test of the endpoint. */
    runId: p.uuid().nullable(),
    seq: p.integer().nullable(),
    /** Whether the run waits for what becomes of it. */
    isAwaited: p.boolean(),
    messageType: p.text(),
    body: p.blob(),
    /** What else it is, where it is no message: a `CallRequest`. */
    request: p.type(RawJsonType).columnType('jsonb').nullable(),
    status: p.enum(['pending', 'sending', 'delivered', 'failed', 'expired', 'held']),
    /** When to send it; while it is being sent, when others may; null once nothing more is to be done. */
    dueAt: p.datetime(3).nullable(),
    /** Attempts that have failed, since the last replay. */
    attempt: p.integer(),
    /** Grows whenever a process takes it: only the last one may say what has become of it. */
    claim: p.integer(),
    expiresAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'webhook_delivery_of_run', properties: ['storeId', 'runId', 'seq'] }],
  indexes: [
    { name: 'webhook_delivery_of', properties: ['storeId', 'endpointId', 'id'] },
    { name: 'webhook_delivery_with', properties: ['storeId', 'endpointId', 'status', 'id'] },
    { name: 'webhook_delivery_due', properties: ['storeId', 'endpointId', 'dueAt'], where: 'due_at is not null' },
    { name: 'webhook_delivery_sending', properties: ['storeId', 'endpointId', 'dueAt'], where: "status = 'sending'" },
  ],
});
