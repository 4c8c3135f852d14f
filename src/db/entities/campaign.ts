import { defineEntity, p } from '@mikro-orm/postgresql';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import { RawJsonType } from './raw-json-type.ts';

/** What is sent to everybody in an audience. */
export const CampaignEntity = defineEntity({
  name: 'Campaign',
  tableName: 'campaign',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    templateId: p.uuid().nullable(),
    /** Null for what is the default once it is scheduled. */
    senderId: p.uuid().nullable(),
    /** From which each recipient gets a code. */
    couponPoolId: p.uuid().nullable(),
    /** In which part of its audience recipients are looked for, and the last one there up to whom they are found. */
    step: p.integer().default(0),
    reached: p.uuid().default(LOWEST_ID),
    /** The last of its messages up to which nothing is left to do. */
    settled: p.uuid().default(LOWEST_ID),
    /** The last one up to which those that wait are changed as its status asks. */
    changed: p.uuid().default(LOWEST_ID),
    recipients: p.bigint('number').defaultRaw('0'),
    /** Of them, who has no time zone, and who has what is none. */
    withoutZone: p.bigint('number').defaultRaw('0'),
    unknownZone: p.bigint('number').defaultRaw('0'),
    /** Of the last messages that were handed over: how many, what came back, and complaints. */
    recent: p.double().columnType('double precision').default(0),
    recentBounces: p.double().columnType('double precision').default(0),
    recentComplaints: p.double().columnType('double precision').default(0),
    scheduledAt: p.datetime(3).nullable(),
    /** The time that the ids of its messages have. */
    startedAt: p.datetime(3).nullable(),
    /** When all recipients were found. */
    preparedAt: p.datetime(3).nullable(),
    finishedAt: p.datetime(3).nullable(),
    /** When the last message of its test had been tried, and when that was decided. */
    testedAt: p.datetime(3).nullable(),
    decidedAt: p.datetime(3).nullable(),
    /** When something is to be done for it; null if nothing is. */
    dueAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** Grows with every change of the draft. */
    revision: p.integer(),
    templateVersion: p.integer().nullable(),
    /** How many of a hundred get nothing. */
    holdOut: p.smallint().default(0),
    /** The variant that the rest get, from 1. */
    winner: p.smallint().nullable(),
    /** Whether messages may be due at no time, as it was paused. */
    hasParked: p.boolean().default(false),
    /** Whether messages may be due outside its hours. */
    hasClosed: p.boolean().default(false),
    name: p.text(),
    /** In place of that of its template. */
    subject: p.text().nullable(),
    channel: p.enum(['email', 'sms']),
    class: p.enum(['marketing', 'transactional']).nullable(),
    status: p.enum(['draft', 'scheduled', 'preparing', 'sending', 'paused', 'sent', 'cancelled', 'held', 'missed']),
    /** Why it has paused itself. */
    reason: p.text().nullable(),
    verdict: p.enum(['significant', 'unclear', 'unopposed', 'chosen', 'no_rest']).nullable(),
    test: p.type(RawJsonType).columnType('json').nullable(),
    /** What each variant is sent with, since it is scheduled. */
    variants: p.type(RawJsonType).columnType('json').nullable(),
    audience: p.type(RawJsonType).columnType('json').nullable(),
    listIds: p.array().columnType('uuid[]').defaultRaw("'{}'"),
    segmentIds: p.array().columnType('uuid[]').defaultRaw("'{}'"),
    campaignIds: p.array().columnType('uuid[]').defaultRaw("'{}'"),
    /** When its messages go; null: all at once. */
    timing: p.type(RawJsonType).columnType('json').nullable(),
  },
  indexes: [{ name: 'campaign_due', properties: ['storeId', 'dueAt'], where: 'due_at is not null' }],
});
