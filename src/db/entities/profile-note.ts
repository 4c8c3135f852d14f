import { defineEntity, p } from '@mikro-orm/postgresql';

/** What somebody who works in a store has written down about a customer. */
export const ProfileNoteEntity = defineEntity({
  name: 'ProfileNote',
  tableName: 'profile_note',
  properties: {
    storeId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    id: p.uuid().primary(),
    text: p.text(),
    authorKind: p.enum(['key', 'person']),
    /** Of the key or the person. */
    authorId: p.uuid(),
    createdAt: p.datetime(3),
  },
});
