import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** What says of the people of a store who they are. */
export const IdentityProviderEntity = defineEntity({
  name: 'IdentityProvider',
  tableName: 'identity_provider',
  properties: {
    storeId: p.uuid().primary(),
    /** Another with each change. */
    version: p.uuid(),
    issuer: p.text(),
    clientId: p.text(),
    /** Sealed. */
    clientSecret: p.text(),
    groupsClaim: p.text(),
    /** The first whose group somebody is in has the role. */
    roleRules: p.json<{ group: string; role: string }[]>(),
    /** Of e-mail addresses whose people need no invitation. */
    domains: p.array(),
    /** Of whom no rule has one; null where they may not come in. */
    defaultRole: p.text().check("default_role in ('admin', 'marketer', 'analyst', 'support')").strictNullable(),
    /** The owner who alone signs in by a password; null where others do. */
    breakGlassId: p.uuid().strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type IdentityProviderRecord = InferEntity<typeof IdentityProviderEntity>;
