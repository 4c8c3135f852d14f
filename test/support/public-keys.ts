import { isPublicKey, type NewApiKey } from '../../src/domain/api-keys/api-keys.ts';

/** Paths of pages and apps, which take a public key in their query. */
const CLIENT_PATH = /^\/+compat\/+v1\/+(?:api\/+)?client\//;

const publicKeys = new Map<string, Promise<string> | (() => Promise<string>)>();

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
  publicKeys.set(secret, async () => (await create({ ...options, name: 'pages', scopes: ['client:write'] })).key);
}

/** The path with the key that belongs to it. */
export async function withCompanyId(path: string, key: string | undefined): Promise<string> {
  if (key === undefined || path.includes('company_id=')) return path;
  let found = publicKeys.get(key);
  if (typeof found === 'function') {
    found = found();
    publicKeys.set(key, found);
  }
  return `${path}${path.includes('?') ? '&' : '?'}company_id=${(await found) ?? key}`;
}
