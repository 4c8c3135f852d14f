import { defineEntity, p } from '@mikro-orm/postgresql';

/** Who a person of a store is for an identity provider. */
export const PersonIdentityEntity = defineEntity({
  name: 'PersonIdentity',
  tableName: 'person_identity',
  properties: {
    storeId: p.uuid().primary(),
    issuer: p.text().primary(),
    subject: p.text().primary(),
    personId: p.uuid(),
    /** What the person is where no rule has a role; null for the provider's default. */
    ownRole: p.text().check("own_role in ('owner', 'admin', 'marketer', 'analyst', 'support')").strictNullable(),
    createdAt: p.datetime(3),
  },
  uniques: [{ name: 'person_identity_of_person', properties: ['storeId', 'personId'] }],
});
