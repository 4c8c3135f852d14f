import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** A version of a template, which never changes. */
export const TemplateVersionEntity = defineEntity({
  name: 'TemplateVersion',
  tableName: 'template_version',
  properties: {
    storeId: p.uuid().primary(),
    templateId: p.uuid().primary(),
    number: p.integer().primary(),
    /** The draft as it was published. */
    draft: p.type(RawJsonType).columnType('json'),
    class: p.enum(['marketing', 'transactional']),
    /** What messages are made from; null for layouts and snippets, which are copied into others. */
    compiled: p.type(RawJsonType).columnType('json').nullable(),
    /** The numbers of the versions of layouts and snippets that were copied into it, by id. */
    parts: p.type(RawJsonType).columnType('jsonb'),
    publishedAt: p.datetime(3),
    /** The id of the key. */
    publishedBy: p.uuid(),
    /** The languages that it is in. */
    locales: p.array().columnType('text[]').defaultRaw("'{}'"),
  },
});
