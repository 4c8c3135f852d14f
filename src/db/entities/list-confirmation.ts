import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** A customer who was asked to confirm that they subscribe to a list, by the message of that id. */
export const ListConfirmationEntity = defineEntity({
  name: 'ListConfirmation',
  tableName: 'list_confirmation',
  properties: {
    storeId: p.uuid().primary(),
    messageId: p.uuid().primary(),
    profileId: p.uuid(),
    listId: p.uuid(),
    askedAt: p.datetime(3),
    confirmedAt: p.datetime(3).nullable(),
    /** That of the customer when they were asked: the link proves that its reader has this one. */
    address: p.text().nullable(),
    /** Where they subscribed, in the integrator's words. */
    source: p.text().strictNullable(),
  },
  indexes: [
    { name: 'list_confirmation_asked', properties: ['storeId', 'askedAt'] },
    { name: 'list_confirmation_of_profile', properties: ['storeId', 'profileId', 'askedAt'] },
  ],
});

export type ListConfirmationRecord = InferEntity<typeof ListConfirmationEntity>;
