import { defineEntity, p } from '@mikro-orm/postgresql';

/** A person who signs in to the dashboard, of any store. */
export const PersonEntity = defineEntity({
  name: 'Person',
  tableName: 'person',
  properties: {
    id: p.uuid().primary(),
    /** In lower case. */
    email: p.text().unique('person_email_key'),
    name: p.text(),
    /** A PHC string; empty where the person has none. */
    password: p.text(),
    createdAt: p.datetime(3),
    /** The only store of somebody who has come by its identity provider. */
    providerStoreId: p.uuid().strictNullable(),
    /** The address that the provider gives, in lower case, which is nobody's elsewhere; `email` is none then. */
    providerEmail: p.text().strictNullable(),
  },
});
