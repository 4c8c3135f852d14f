/** What a provider has said of somebody, and has proved to have said. */
export interface Identity {
  issuer: string;
  subject: string;
  /** In lower case; undefined where the provider does not say that it is verified. */
  email: string | undefined;
  name: string;
  groups: readonly string[];
}

/** Why somebody does not come in by a provider. */
export type Refusal =
  | 'no_provider'
  | 'expired'
  | 'unreachable'
  | 'refused'
  | 'misconfigured'
  | 'invalid'
  | 'email_not_verified'
  | 'not_invited'
  | 'no_role'
  | 'other_account'
  | 'too_many_people'
  | 'busy';

export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  readonly reason: Refusal;

  constructor(reason: Refusal, options?: ErrorOptions) {
    super(`Sign-in by an identity provider: ${reason}`, options);
    this.reason = reason;
  }
}
