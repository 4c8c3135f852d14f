import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** Whom messages come from, and how they leave. One that was deleted stays. */
export const SenderEntity = defineEntity({
  name: 'Sender',
  tableName: 'sender',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    kind: p.enum(['outbox', 'smtp', 'webhook', 'twilio']),
    name: p.text(),
    /** Null where it sends no e-mail. */
    fromEmail: p.text().nullable(),
    fromName: p.text().nullable(),
    replyTo: p.text().nullable(),
    class: p.enum(['marketing', 'transactional', 'both']),
    /** Whether it uses the operator's server of mail. */
    isShared: p.boolean().default(false),
    /** Of a server of its own. */
    host: p.text().nullable(),
    port: p.integer().nullable(),
    security: p.enum(['tls', 'starttls']).nullable(),
    userName: p.text().nullable(),
    /** Sealed; of Twilio, the auth token or the secret of the API key. */
    password: p.text().nullable(),
    /** The endpoint that takes text messages. */
    endpointId: p.uuid().nullable(),
    /** Of an account at Twilio; without a key, its auth token logs in. */
    accountSid: p.text().nullable(),
    apiKeySid: p.text().nullable(),
    /** What text messages come from: a number or a name, or else a service that chooses one. */
    textFrom: p.text().nullable(),
    messagingServiceSid: p.text().nullable(),
    dkimSelector: p.text().nullable(),
    /** Sealed; null where the relay signs. */
    dkimKey: p.text().nullable(),
    dkimPublicKey: p.text().nullable(),
    /** Who tells what becomes of its messages. */
    feedbackProvider: p.enum(['generic', 'ses', 'postmark', 'sendgrid', 'mailgun', 'resend', 'twilio']).nullable(),
    /** By which they prove who they are, sealed: what the store chose, and what the provider gave. */
    feedbackSecret: p.text().nullable(),
    feedbackKey: p.text().nullable(),
    maxPerSecond: p.integer(),
    maxPerDay: p.integer().nullable(),
    maxConcurrent: p.integer(),
    /** What all processes may send at `tokensAt`; it grows by `maxPerSecond`. */
    tokens: p.double().columnType('double precision').default(1),
    tokensAt: p.datetime(6).defaultRaw('now()'),
    /** The day of the count. */
    day: p.date().nullable(),
    sentToday: p.integer().default(0),
    /** Messages of the first day, and of the day from which on it limits nothing; null where it does not warm up. */
    warmUpFirst: p.integer().nullable(),
    warmUpTarget: p.integer().nullable(),
    /** Days before that of the count on which it has sent anything. */
    warmUpDays: p.integer().default(0),
    testedOn: p.date().nullable(),
    tests: p.integer().default(0),
    /** Failed attempts in a row. */
    failures: p.integer().default(0),
    /** Nothing is sent before. */
    restingUntil: p.datetime(3).nullable(),
    /** What the last look at it has found, and when that was. */
    checks: p.type(RawJsonType).columnType('json').nullable(),
    checkedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
  },
  uniques: [
    { name: 'sender_outbox', properties: ['storeId'], where: "kind = 'outbox'" },
    { name: 'sender_shared', properties: ['storeId'], where: 'is_shared and deleted_at is null' },
  ],
});
