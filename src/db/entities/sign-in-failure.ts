import { defineEntity, p } from '@mikro-orm/postgresql';

/** How often somebody has lately failed to sign in with an e-mail address, whether or not anybody has it. */
export const SignInFailureEntity = defineEntity({
  name: 'SignInFailure',
  tableName: 'sign_in_failure',
  properties: {
    /** The SHA-256 of the address. */
    digest: p.blob().primary(),
    failures: p.integer(),
    lastAt: p.datetime(3),
    blockedUntil: p.datetime(3),
  },
  indexes: [{ name: 'sign_in_failure_last', properties: ['lastAt'] }],
});
