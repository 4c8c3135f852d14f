import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** What somebody is for the provider. */
interface Account {
  email: string;
  name: string;
  groups: string[];
}

/**
 * Runs a certified identity provider on this machine, under another name than the service: so they are of different sites. On its
 * page there is a button to sign in by.
 */
export async function startCertified(
  account: Account,
  client: { secret: string; callback: string },
): Promise<{ issuer: string; stop(): Promise<void> }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const scope = 'openid email profile groups';
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'footfall', client_secret: client.secret, redirect_uris: [client.callback] }],
    claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: scope.split(' '),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['of these tests'] },
    findAccount: (_ctx: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, email_verified: true, ...account }),
    }),
    // Nobody is asked what the service may know.
    async loadExistingGrant({ oidc }: any) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope(scope);
      await grant.save();
      return grant;
    },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/sign-in/')) return answer(request, response);
    if (request.method === 'POST') {
      provider.interactionFinished(request, response, { login: { accountId: 'ben' } }).catch(() => response.destroy());
      return;
    }
    response.setHeader('Content-Type', 'text/html');
    response.end(
      '<link rel="icon" href="data:,"><title>Provider</title><form method="post"><button>It is me</button></form>',
    );
  });
  return {
    issuer,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
