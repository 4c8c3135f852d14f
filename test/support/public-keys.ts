import { isPublicKey, type NewApiKey } from '../../src/domain/api-keys/api-keys.ts';

/** Paths of pages and apps, which take a public key in their query. */
const CLIENT_PATH = /^\/+compat\/+v1\/+(?:api\/+)?client\//;

/** Requests after which another public key is used: one address gets 60 a minute with each. */
const REQUESTS_OF_KEY = 50;

interface Pair {
  create(): Promise<string>;
  publicKey: Promise<string> | undefined;
  requests: number;
}

const pairs = new Map<string, Pair>();

export function isClientPath(path: string): boolean {
  return CLIENT_PATH.test(path);
}

/** Has a secret key be sent with a public one of the same store beside it, if its scopes allow as much. */
export function pairWithPublicKey(
  secret: string,
  { scopes, ...options }: NewApiKey,
  create: (options: NewApiKey) => Promise<{ key: string }>,
): void {
  const allows = (['events:write', 'profiles:write'] as const).every((scope) => scopes.includes(scope));
  if (!allows || isPublicKey(secret)) return;
  const createOne = async () => (await create({ ...options, name: 'pages', scopes: ['client:write'] })).key;
  pairs.set(secret, { create: createOne, publicKey: undefined, requests: 0 });
}

/** The path with the key that belongs to it. */
export async function withCompanyId(path: string, key: string | undefined): Promise<string> {
  if (key === undefined || path.includes('company_id=')) return path;
  return `${path}${path.includes('?') ? '&' : '?'}company_id=${await publicKeyOf(key)}`;
}

async function publicKeyOf(key: string): Promise<string> {
  const pair = pairs.get(key);
  if (!pair) return key;
  if (pair.requests % REQUESTS_OF_KEY === 0) pair.publicKey = pair.create();
  pair.requests += 1;
  return pair.publicKey as Promise<string>;
}
