/** How to reach one Redis. */
export interface RedisServer {
  host: string;
  port: number;
  tls: boolean;
  username: string | undefined;
  password: string | undefined;
  database: number;
}

const PROTOCOLS = ['redis:', 'rediss:'];

/** Splits a list of URLs at its commas. A single URL may have one, in its password. */
export function splitRedisUrls(text: string): string[] {
  if (URL.canParse(text)) {
    const { hostname, pathname } = new URL(text);
    if (!`${hostname}${pathname}`.includes(',')) return [text];
  }
  return text
    .split(',')
    .map((url) => url.trim())
    .filter(Boolean);
}

/** Returns what is wrong with the addresses of a Redis or of a cluster's nodes, without the secrets in them. */
export function problemOfRedisUrls(urls: readonly string[]): string | undefined {
  const bad = urls.flatMap((url, n) => (isRedisUrl(url) ? [] : [n + 1]));
  if (bad.length > 0) {
    if (urls.length === 1) return 'must be a URL that starts with redis:// or rediss://';
    return `must list URLs that start with redis:// or rediss://, separated by commas; wrong: number ${bad.join(', ')}`;
  }
  const [first, ...others] = urls.map(parseRedisUrl);
  if (!first || others.length === 0) return undefined;
  const { tls, username, password } = first;
  if (others.some((other) => other.tls !== tls || other.username !== username || other.password !== password)) {
    return 'must have the same scheme, user and password in each of its addresses';
  }
  return [first, ...others].some(({ database }) => database > 0)
    ? 'must name no database in several addresses: a cluster has none but 0'
    : undefined;
}

function isRedisUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, pathname, username, password } = new URL(url);
  return (
    PROTOCOLS.includes(protocol) &&
    !hostname.includes(',') &&
    /^\/?\d*$/.test(pathname) &&
    isDecodable(username) &&
    isDecodable(password)
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Parses a URL in which `problemOfRedisUrls` found nothing wrong. */
export function parseRedisUrl(url: string): RedisServer {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost',
    port: Number(port || 6379),
    tls: protocol === 'rediss:',
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    database: Number(pathname.slice(1)),
  };
}
