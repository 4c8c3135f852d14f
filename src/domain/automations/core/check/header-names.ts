const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/** Those that say how a request is carried, or by which the service says what it is. */
const RESERVED = new Set([
  ...['host', 'connection', 'keep-alive', 'content-length', 'content-type', 'content-encoding', 'transfer-encoding'],
  ...['te', 'trailer', 'upgrade', 'expect', 'accept-encoding', 'webhook-id', 'webhook-timestamp', 'webhook-signature'],
]);

/** Returns what is wrong with the name of a header of one's own. */
export function problemOfHeaderName(name: string): string | undefined {
  if (!TOKEN.test(name)) return 'must be the name of a header, such as X-Shop';
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith('proxy-') ? 'is a header that the service sets itself' : undefined;
}
