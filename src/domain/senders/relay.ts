import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { readSmtpUrl } from '../../process/smtp-url.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { invalid } from '../service-error.ts';
import type { Relay, RelayUser } from './hand-over.ts';
import type { Sender } from './sender.ts';
import type { SenderTools } from './tools.ts';

/** Ports at which servers take messages: at any other, a sender would be a way to knock on doors. */
export const MAIL_PORTS: readonly number[] = [25, 465, 587, 2525];

/** Settings of a sender of the kind `smtp`, as they are asked for. */
export interface RelayInput {
  isShared: boolean;
  host?: string | undefined;
  port?: number | undefined;
  security?: 'tls' | 'starttls' | undefined;
  user?: string | null | undefined;
  /** Undefined leaves it as it is, as long as the server and the user stay the same. */
  password?: string | null | undefined;
}

/** Settings that have been checked. */
export type CheckedRelay =
  | { isShared: true }
  | { isShared: false; host: string; port: number; security: 'tls' | 'starttls'; user: string | null };

/** Throws `validation_error` for what is missing or contradictory, and for a server that messages must not go to. */
export function checkRelay(input: RelayInput, { networks, hasExceptions, shared }: SenderTools): CheckedRelay {
  const problem = (field: string, text: string) => invalid({ path: ['settings', field], problem: text });
  const { isShared, host, port, security, user = null, password } = input;
  if (isShared) {
    for (const field of ['host', 'port', 'security', 'user', 'password'] as const) {
      if (input[field] !== undefined) throw problem(field, 'must be left out where the server is the shared one');
    }
    if (!shared) throw problem('shared', 'can only be true where the operator offers a server (SMTP_URL)');
    return { isShared };
  }
  if (host === undefined) throw problem('host', 'is required, unless the server is the shared one');
  if (port === undefined) throw problem('port', 'is required, unless the server is the shared one');
  if (security === undefined) throw problem('security', 'is required, unless the server is the shared one');
  const name = hostOf(host);
  if (name === undefined) throw problem('host', 'must be the name or the address of a server');
  const isAddress = isIP(name) !== 0;
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  if ((isLocal && !networks.permitsLoopback) || (isAddress && !networks.permits(name))) {
    throw problem('host', 'must not lead to a private or reserved address');
  }
  // What a name leads to is known once it is connected to.
  const mayBeAnyPort = isAddress ? networks.excepts(name) : hasExceptions;
  if (!MAIL_PORTS.includes(port) && !mayBeAnyPort) throw problem('port', `must be one of ${MAIL_PORTS.join(', ')}`);
  if (user === null && typeof password === 'string') throw problem('user', 'is required with a password');
  return { isShared, host: name, port, security, user };
}

/** In ASCII; undefined if it is neither a name nor an address. */
function hostOf(text: string): string | undefined {
  const host = text.trim();
  if (isIP(host) !== 0) return host.includes('%') ? undefined : host;
  const name = domainToASCII(host).replace(/\.$/, '');
  // A name of digits alone would be read as an address.
  if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name) || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name)) return undefined;
  return name.length <= 253 ? name : undefined;
}

/** What the password of a sender is sealed for. */
export function placeOfPassword(storeId: string, senderId: string): readonly string[] {
  return ['sender', storeId, senderId, 'password'];
}

/**
 * Returns what hands messages of a sender over, its password opened. Undefined for an outbox, and where the operator does not
 * offer the shared server any more. Throws `Unopenable`.
 */
export function relayUserOf(
  storeId: string,
  { sender, sealedPassword }: { sender: Sender; sealedPassword: string | null },
  { secrets, shared }: { secrets: Secrets; shared: { relay: Relay } | undefined },
): RelayUser | undefined {
  const { id, settings, maxConcurrent } = sender;
  if (!settings) return undefined;
  if (settings.isShared) return shared && { id, relay: shared.relay, maxConcurrent };
  const { host, port, security, user } = settings;
  const password = sealedPassword === null ? null : secrets.open(sealedPassword, placeOfPassword(storeId, id));
  const login = user === null || password === null ? null : { user, password };
  return { id, relay: { host, port, security, login, isOperators: false }, maxConcurrent };
}

/** Takes a URL that has been checked. */
export function relayOfUrl(url: string): Relay {
  const { host, port, isSecure, user, password } = readSmtpUrl(url);
  const login = user === '' ? null : { user, password };
  return { host, port, security: isSecure ? 'tls' : 'starttls', login, isOperators: true };
}
