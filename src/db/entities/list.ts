import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** A list of customers. Its row is locked while members join or leave. */
export const ListEntity = defineEntity({
  name: 'List',
  tableName: 'list',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    /** Its id at the third party. */
    sourceId: p.text().strictNullable(),
    /** How many there are. */
    members: p.bigint('number').check('members >= 0'),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** Whether customers choose on the page of their preferences to be in it. */
    topic: p.boolean().defaultRaw('false'),
    /** What customers read there; null: its name. */
    publicName: p.text().strictNullable(),
    /** Whether those who subscribe to it are asked to confirm that by a message. */
    isDoubleOptIn: p.boolean().fieldName('double_opt_in').defaultRaw('false'),
    /** What that message says; null: the text of the service. */
    confirmationTemplateId: p.uuid().strictNullable(),
  },
  uniques: [{ name: 'list_source_id', properties: ['storeId', 'sourceId'] }],
});

export type ListRecord = InferEntity<typeof ListEntity>;
