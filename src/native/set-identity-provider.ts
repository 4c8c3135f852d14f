import type { Operations } from '../../generated/native/operations.gen.ts';
import { setProvider } from '../domain/people/providers/identity-provider.ts';
import type { Secrets } from '../domain/secrets/secrets.ts';
import { invalid } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { UrlRules } from '../domain/webhooks/endpoints/url.ts';
import type { Handler } from '../http/handler.ts';
import { renderProvider } from './representations/identity-provider.ts';

export function setIdentityProvider(
  writing: WithConnection,
  tools: { secrets: Secrets; rules: UrlRules },
): Handler<Operations, 'setIdentityProvider'> {
  return async ({ request: { body }, caller, base }) => {
    const { sso_only: isOnly = false, break_glass_id: breakGlass = null } = body;
    if (isOnly && breakGlass === null) {
      throw invalid({ path: ['break_glass_id'], problem: 'is required with sso_only' });
    }
    const given = {
      issuer: body.issuer,
      clientId: body.client_id,
      clientSecret: body.client_secret,
      groupsClaim: body.groups_claim ?? 'groups',
      roleRules: body.role_rules ?? [],
      domains: body.domains ?? [],
      defaultRole: body.default_role ?? null,
      breakGlassId: isOnly ? breakGlass : null,
    };
    const { storeId } = caller;
    const set = await writing(storeId, (_db, shared) => setProvider(shared, tools, storeId, given, caller));
    return { status: 200, body: renderProvider(set, base()), isRepeatable: true };
  };
}
