import { defineEntity, p } from '@mikro-orm/postgresql';

/** A browser in which a person is signed in. */
export const PersonSessionEntity = defineEntity({
  name: 'PersonSession',
  tableName: 'person_session',
  properties: {
    /** The SHA-256 of what the cookie has. */
    digest: p.blob().primary(),
    /** The store that it shows. */
    storeId: p.uuid(),
    personId: p.uuid(),
    createdAt: p.datetime(3),
    /** Of the client that signed in. */
    address: p.text().default(''),
    userAgent: p.text().default(''),
    seenAt: p.datetime(3),
    expiresAt: p.datetime(3),
    /** The store whose identity provider says who it is: the only one that it shows. */
    providerStoreId: p.uuid().check('provider_store_id = store_id').strictNullable(),
  },
  indexes: [
    { name: 'person_session_of_person', properties: ['personId', 'createdAt'] },
    { name: 'person_session_expires', properties: ['expiresAt'] },
  ],
});
