import type { IdentityProvider as Body } from '../../../generated/native/types.gen.ts';
import type { IdentityProvider } from '../../domain/people/providers/identity-provider.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { callbackPath, signInPath } from '../../http/provider-paths.ts';

/** Of one that there is; throws `not_found` otherwise. `base` is the address of the service as the client used it. */
export function renderProvider(provider: IdentityProvider | undefined, base: string): Body {
  if (!provider) throw new ServiceError('not_found', 'The store has no identity provider');
  const { storeId, issuer, clientId, groupsClaim, roleRules, domains, defaultRole, breakGlassId } = provider;
  return {
    ...{ issuer, client_id: clientId, groups_claim: groupsClaim, role_rules: roleRules, domains },
    ...{ default_role: defaultRole, sso_only: breakGlassId !== null, break_glass_id: breakGlassId },
    sign_in_url: new URL(signInPath(storeId), base).href,
    callback_url: new URL(callbackPath(storeId), base).href,
    created_at: provider.createdAt.toISOString(),
    updated_at: provider.updatedAt.toISOString(),
  };
}
