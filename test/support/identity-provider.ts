import { generateKeyPairSync, hash, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from './people.ts';

/** What a service needs to reach a provider on this machine. */
export const REACHES_PROVIDERS = { WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const JWK = { ...KEYS.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
const OTHERS = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** An identity provider that says what a test has it say. */
export class FakeProvider {
  readonly issuer: string;
  /** What it says of itself beside the rest. */
  metadata: Record<string, unknown> = {};
  /** What its tokens say beside the rest. */
  claims: Record<string, unknown> = {};
  /** Whether another signs for it. */
  isForged = false;
  /** What it answers at its token endpoint, instead of a token. */
  tokenError: { status: number; body: unknown } | undefined;
  /** Whether it takes requests and answers none. */
  isSilent = false;
  /** How often it was asked what it is. */
  discoveries = 0;
  /** Paths of requests that wait for ever. */
  readonly waiting: string[] = [];
  readonly #server: Server;
  readonly #codes = new Map<string, { nonce: string; challenge: string }>();

  static async start(): Promise<FakeProvider> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeProvider(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Has somebody say who they are on the page that a browser was sent to; returns where it is sent back. */
  approve(page: string, more: Record<string, string> = {}): URL {
    const asked = new URL(page).searchParams;
    const code = randomUUID();
    this.#codes.set(code, { nonce: asked.get('nonce') as string, challenge: asked.get('code_challenge') as string });
    const back = new URL(asked.get('redirect_uri') as string);
    for (const [name, value] of Object.entries({ code, state: asked.get('state') as string, ...more })) {
      back.searchParams.set(name, value);
    }
    return back;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (this.isSilent) {
      this.waiting.push(path);
      return;
    }
    const say = (status: number, body: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    if (path === '/.well-known/openid-configuration') {
      this.discoveries += 1;
      const { issuer } = this;
      return say(200, {
        ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'], subject_types_supported: ['public'] },
        id_token_signing_alg_values_supported: ['RS256'],
        ...this.metadata,
      });
    }
    if (path === '/jwks') return say(200, { keys: [JWK] });
    if (path !== '/token') return say(404, {});
    const form = new URLSearchParams(await textOf(request));
    const code = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    if (this.tokenError) return say(this.tokenError.status, this.tokenError.body);
    if (!code || hash('sha256', form.get('code_verifier') ?? '', 'base64url') !== code.challenge) {
      return say(400, { error: 'invalid_grant' });
    }
    say(200, { access_token: randomUUID(), token_type: 'bearer', id_token: this.#idToken(code.nonce) });
  }

  #idToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: this.issuer, aud: 'footfall', iat: now, exp: now + 300, nonce, ...this.claims };
    const parts = [{ alg: 'RS256', kid: 'one' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const { privateKey } = this.isForged ? OTHERS : KEYS;
    return `${parts.join('.')}.${sign('sha256', Buffer.from(parts.join('.')), privateKey).toString('base64url')}`;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Has a browser sign in by a provider, up to where the service leads it: a path and what is behind #. */
export async function signInBy(
  provider: FakeProvider,
  browser: Browser,
  storeId: string,
  claims: Record<string, unknown>,
): Promise<string> {
  const page = await browser.open(`/dashboard/sign-in/${storeId}`);
  if (!page.startsWith(provider.issuer)) return page;
  Object.assign(provider, { claims });
  const { pathname, search } = provider.approve(page);
  return await browser.comeBack(`${pathname}${search}`);
}
