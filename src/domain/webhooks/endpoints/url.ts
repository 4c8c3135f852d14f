import { isIP } from 'node:net';
import type { Networks } from './networks.ts';

/** Characters of a URL as it is called: each character of another script may take nine of them. */
const MAX_LENGTH = 8_192;

export interface UrlRules {
  /** Whether `http` is allowed beside `https`. */
  allowHttp: boolean;
  networks: Networks;
}

/**
 * Returns what is wrong with the URL of an endpoint, as a sentence without its subject. A name is not looked up: that is
 * done for each connection.
 */
export function problemOfUrl(text: string, { allowHttp, networks }: UrlRules): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'must be a URL';
  // A parser leaves them out.
  if (/\p{Cc}/u.test(text)) return 'must have no line breaks and no tabs';
  const isAllowed = url.protocol === 'https:' || (allowHttp && url.protocol === 'http:');
  if (!isAllowed) return `must begin with https://${allowHttp ? ' or http://' : ''}`;
  if (url.username || url.password) return 'must have no user name and password: deliveries are signed instead';
  if (url.href.length > MAX_LENGTH) return `must have no more than ${MAX_LENGTH} characters in its ASCII form`;
  if (url.port === '0') return 'must have a port other than 0';
  const address = addressOf(url);
  if (address !== undefined) {
    return networks.permits(address) ? undefined : 'must not lead to a private or reserved address';
  }
  if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/.test(url.hostname)) return 'must have the name of a host';
  const name = url.hostname.replace(/\.$/, '');
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  return isLocal && !networks.permitsLoopback ? 'must not lead to a private or reserved address' : undefined;
}

/** The address that a URL names literally, in any notation; undefined where it has a name. */
export function addressOf({ hostname }: URL): string | undefined {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(address) === 0 ? undefined : address;
}
