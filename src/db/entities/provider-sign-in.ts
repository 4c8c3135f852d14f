import { defineEntity, p } from '@mikro-orm/postgresql';

/** A browser that has been sent to an identity provider. */
export const ProviderSignInEntity = defineEntity({
  name: 'ProviderSignIn',
  tableName: 'provider_sign_in',
  properties: {
    /** The SHA-256 of what the cookie has. */
    digest: p.blob().primary(),
    storeId: p.uuid(),
    /** Of the provider as it was asked. */
    version: p.uuid(),
    returnTo: p.text(),
    /** The session that ends with it, by its digest. */
    former: p.blob().strictNullable(),
    expiresAt: p.datetime(3),
  },
  indexes: [{ name: 'provider_sign_in_expires', properties: ['expiresAt'] }],
});
