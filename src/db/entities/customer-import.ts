import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** An import of customers from a CSV file. */
export const CustomerImportEntity = defineEntity({
  name: 'CustomerImport',
  tableName: 'customer_import',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text().nullable(),
    idempotencyKey: p.text().nullable(),
    /** The SHA-256 of the request that opened it; null of those that an earlier version opened. */
    digest: p.blob().nullable(),
    state: p.enum(['open', 'queued', 'processing', 'complete', 'cancelled', 'failed']),
    failure: p.text().nullable(),
    delimiter: p.text().nullable(),
    /** As it was sent. */
    mapping: p.type(RawJsonType).columnType('json').nullable(),
    /** Once it is started, the place of each column that is imported, and the number of all. */
    plan: p.type(RawJsonType).columnType('json').nullable(),
    consent: p.type(RawJsonType).columnType('json').nullable(),
    listIds: p.array().columnType('uuid[]'),
    isHistorical: p.boolean().default(false),
    /** Those that are stored, without gaps, from the first. */
    parts: p.integer().default(0),
    bytes: p.integer().default(0),
    bytesDone: p.integer().default(0),
    /** Where the next row is: the part, the bytes before it there, and its line in the file. */
    nextPart: p.integer().default(1),
    nextOffset: p.integer().default(0),
    nextLine: p.integer().default(1),
    /** Bytes up to which lines may be part of a value, because the quotes of a row before them are broken. */
    doubtfulTo: p.integer().default(0),
    rowsRead: p.integer().default(0),
    rowsCreated: p.integer().default(0),
    rowsUpdated: p.integer().default(0),
    rowsFailed: p.integer().default(0),
    /** Those of them that were written in a way that can't be read. */
    rowsBroken: p.integer().default(0),
    errorsKept: p.integer().default(0),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).nullable(),
    endedAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'customer_import_key', properties: ['storeId', 'idempotencyKey'] }],
  indexes: [
    { name: 'customer_import_unfinished', properties: ['storeId', 'id'], where: 'ended_at is null' },
    { name: 'customer_import_expiry', properties: ['expiresAt'], where: 'expires_at is not null' },
  ],
});

export type CustomerImportRecord = InferEntity<typeof CustomerImportEntity>;
