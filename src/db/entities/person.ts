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
    /** A PHC string. */
    password: p.text(),
    createdAt: p.datetime(3),
  },
});
