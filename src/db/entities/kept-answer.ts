import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** What a request with an idempotency key was answered, for its repetitions. */
export const KeptAnswerEntity = defineEntity({
  name: 'KeptAnswer',
  tableName: 'kept_answer',
  properties: {
    storeId: p.uuid().primary(),
    operation: p.text().primary(),
    key: p.text().primary(),
    /** The SHA-256 of the request. */
    digest: p.blob(),
    /** The API key that made the request. */
    apiKeyId: p.uuid(),
    status: p.smallint(),
    body: p.type(RawJsonType).columnType('json'),
    createdAt: p.datetime(3),
  },
  indexes: [{ name: 'kept_answer_created_at', properties: ['createdAt'] }],
});
