import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** Where a store's automations send requests to. One that was deleted stays. */
export const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    url: p.text(),
    name: p.text(),
    /** Encrypted; in clear where a version before has stored it, until that is done. */
    secret: p.text(),
    /** Those before it, each with the time until which it signs as well. */
    previousSecrets: p.type(RawJsonType).columnType('jsonb'),
    /** Those that each request has, with their values encrypted. */
    secretHeaders: p.type(RawJsonType).columnType('jsonb').default('[]'),
    maxPerSecond: p.integer(),
    maxConcurrent: p.integer(),
    /** What all processes may send at `tokensAt`; it grows by `maxPerSecond`. */
    tokens: p.double().columnType('double precision'),
    tokensAt: p.datetime(6),
    /** Failed attempts in a row, and when the first and the last of them were. */
    failures: p.integer(),
    failingSince: p.datetime(3).nullable(),
    lastFailedAt: p.datetime(3).nullable(),
    /** Nothing is sent before. */
    restingUntil: p.datetime(3).nullable(),
    disabledAt: p.datetime(3).nullable(),
    disabledReason: p.enum(['gone', 'failing', 'requested', 'secret_lost']).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
  },
  indexes: [
    {
      name: 'webhook_endpoint_disabled',
      properties: ['storeId'],
      where: 'disabled_at is not null and deleted_at is null',
    },
  ],
});
