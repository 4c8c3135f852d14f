import { defineEntity, p } from '@mikro-orm/postgresql';

/** Something of a store that needs somebody, until they have been told that it is over. */
export const AttentionItemEntity = defineEntity({
  name: 'AttentionItem',
  tableName: 'attention_item',
  properties: {
    storeId: p.uuid().primary(),
    kind: p.text().primary(),
    /** The nil UUID where it is the store. */
    subjectId: p.uuid().primary(),
    since: p.datetime(3),
    goneAt: p.datetime(3).nullable(),
    toldAt: p.datetime(3).nullable(),
  },
});
