import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** A list that a customer has subscribed to or left. */
export const ConsentListEntity = defineEntity({
  name: 'ConsentList',
  tableName: 'consent_list',
  properties: {
    storeId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    channel: p.enum(['email', 'sms']).primary(),
    /** The id of the list; the name that was given, if the store has no list of that name. */
    listId: p.text().primary(),
    /** What the latest choice calls the list, if something else. */
    listName: p.text().strictNullable(),
    status: p.enum(['subscribed', 'unsubscribed']),
    changedAt: p.datetime(3),
  },
});

export type ConsentListRecord = InferEntity<typeof ConsentListEntity>;
