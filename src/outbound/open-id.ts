import type { Configuration, CustomFetch, CustomFetchOptions } from 'openid-client';
import type { FlowSecrets } from '../domain/people/providers/flow.ts';
import { ProviderRefusal } from '../domain/people/providers/identity.ts';
import type { OpenedProvider } from '../domain/people/providers/identity-provider.ts';
import type { Send } from '../domain/webhooks/deliveries/attempt.ts';

/** Milliseconds for one request to a provider, for which what it says of itself is known, and of clocks that differ. */
const [REQUEST_MS, KNOWN_MS, SKEW_SECONDS] = [5_000, 600_000, 60];
/** Providers of which that is known at a time. */
const MAX_KNOWN = 200;

interface Known {
  version: string;
  until: number;
  configuration: Promise<Configuration>;
}

/** What a provider says of somebody. */
type Claims = Readonly<Record<string, unknown>>;

/**
 * Speaks OpenID Connect with providers that nobody trusts, by the transport that checks where it leads. Throws a
 * `ProviderRefusal` for whatever goes wrong there.
 */
export class OpenId {
  readonly #send: Send;
  /** By store; the one that was used last is at the end. */
  readonly #known = new Map<string, Known>();

  constructor(send: Send) {
    this.#send = send;
  }

  /** Returns where a browser is to go, to have the provider say who it is. */
  async authorizationUrl(
    provider: OpenedProvider,
    { redirectUri, state, nonce, verifier }: FlowSecrets & { redirectUri: string },
  ): Promise<string> {
    const openid = await loadClient();
    return await refusing(openid, async () => {
      const configuration = await this.#configurationOf(provider);
      const { scopes_supported: scopes = [] } = configuration.serverMetadata();
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: ['openid', 'email', 'profile', ...(scopes.includes('groups') ? ['groups'] : [])].join(' '),
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      if (!/^https?:$/.test(url.protocol)) throw new ProviderRefusal('invalid');
      return url.href;
    });
  }

  /**
   * Returns what the provider says of whoever comes back with an `answer`: its token's claims, and what it lacks of what the
   * provider tells when it is asked.
   */
  async redeem(provider: OpenedProvider, answer: URL, { state, nonce, verifier }: FlowSecrets): Promise<Claims> {
    const openid = await loadClient();
    return await refusing(openid, async () => {
      const configuration = await this.#configurationOf(provider);
      const tokens = await openid.authorizationCodeGrant(configuration, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new ProviderRefusal('invalid');
      const lacksSome = claims.email === undefined || claims[provider.groupsClaim] === undefined;
      if (!lacksSome || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
      const told = await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      // Whether an address is verified is said of the one beside it.
      return { ...told, ...(claims.email !== undefined && { email_verified: undefined }), ...claims };
    });
  }

  /** What the provider says of itself, by its issuer, is asked for once in a while, by whoever comes first. */
  #configurationOf(provider: OpenedProvider): Promise<Configuration> {
    const { storeId, version } = provider;
    const known = this.#known.get(storeId);
    this.#known.delete(storeId);
    const isUsable = known?.version === version && performance.now() < known.until;
    const next = isUsable
      ? known
      : { version, until: performance.now() + KNOWN_MS, configuration: this.#discover(provider) };
    this.#known.set(storeId, next);
    next.configuration.catch(() => {
      if (this.#known.get(storeId) === next) this.#known.delete(storeId);
    });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#known.delete(oldest);
    }
    return next.configuration;
  }

  async #discover({ storeId, issuer, clientId, clientSecret }: OpenedProvider): Promise<Configuration> {
    const openid = await loadClient();
    const customFetch = this.#fetchOf(storeId);
    const timeout = REQUEST_MS / 1000;
    // Whether that is allowed is the transport's matter.
    const execute = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [];
    const found = await openid.discovery(new URL(issuer), clientId, undefined, openid.None(), {
      execute,
      timeout,
      [openid.customFetch]: customFetch,
    });
    const metadata = found.serverMetadata();
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? openid.ClientSecretBasic : openid.ClientSecretPost;
    const configuration = new openid.Configuration(
      metadata,
      clientId,
      { [openid.clockTolerance]: SKEW_SECONDS },
      authenticate(clientSecret),
    );
    configuration.timeout = timeout;
    configuration[openid.customFetch] = customFetch;
    for (const change of [...execute, openid.enableNonRepudiationChecks]) change(configuration);
    return configuration;
  }

  #fetchOf(storeId: string): CustomFetch {
    return async (url, { method, headers, body }: CustomFetchOptions) => {
      const text = body === undefined || body === null ? '' : String(body);
      const request = {
        endpointId: `identity provider of ${storeId}`,
        method,
        url,
        headers: { ...headers },
        body: Buffer.from(text),
        readsAnswer: true,
      };
      const { status, answer } = await this.#send(request, REQUEST_MS);
      if (status === null) throw new ProviderRefusal('unreachable');
      if (status < 200 || status > 599 || (status < 300 && answer === undefined)) throw new ProviderRefusal('invalid');
      return Response.json(answer ?? {}, { status });
    };
  }
}

type OpenIdClient = typeof import('openid-client');

/** Only where there is a provider. */
const loadClient = (): Promise<OpenIdClient> => import('openid-client');

/** Says in the words of the service what has gone wrong. */
async function refusing<Result>(openid: OpenIdClient, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(openid, error);
  }
}

function refusalOf(openid: OpenIdClient, error: unknown): unknown {
  const own = ownRefusal(error);
  if (own) return own;
  if (error instanceof openid.AuthorizationResponseError) return new ProviderRefusal('refused', { cause: error });
  if (error instanceof openid.ResponseBodyError || error instanceof openid.WWWAuthenticateChallengeError) {
    return new ProviderRefusal('misconfigured', { cause: error });
  }
  return new ProviderRefusal('invalid', { cause: error });
}

/** The client wraps what its requests throw. */
function ownRefusal(error: unknown): ProviderRefusal | undefined {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof ProviderRefusal) return one;
  return undefined;
}
