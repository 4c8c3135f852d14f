import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** What a store's messages say: a draft, and which version of it is the latest. */
export const TemplateEntity = defineEntity({
  name: 'Template',
  tableName: 'template',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    kind: p.enum(['blocks', 'mjml', 'html', 'sms']),
    use: p.enum(['message', 'layout', 'snippet']),
    class: p.enum(['marketing', 'transactional']),
    draft: p.type(RawJsonType).columnType('json'),
    /** Grows with every change of the draft. */
    revision: p.integer(),
    status: p.enum(['draft', 'published', 'archived']),
    /** The number of the latest version; null before the first. */
    version: p.integer().strictNullable(),
    /** The revision of which that version was made. */
    publishedRevision: p.integer().strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    archivedAt: p.datetime(3).strictNullable(),
  },
  indexes: [{ name: 'template_with_status', properties: ['storeId', 'status', 'id'] }],
});
