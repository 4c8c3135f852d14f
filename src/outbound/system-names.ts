import type { LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { LOOPBACK } from '../domain/webhooks/endpoints/networks.ts';

/** Where a system keeps what it knows of names by itself. */
export interface NameFiles {
  hosts: string;
  resolver: string;
}

export const SYSTEM_FILES: NameFiles = { hosts: '/etc/hosts', resolver: '/etc/resolv.conf' };
/** Milliseconds for which what was read is used. */
const FRESH_MS = 10_000;
/** Domains in which a short name is looked up, as other resolvers bound them. */
const MAX_DOMAINS = 6;

/**
 * What the machine's own files say of names, as its other programs see them: addresses of names, and the domains in which a
 * short name is looked up, such as that of a service in Kubernetes. A file that can't be read says nothing.
 */
export class SystemNames {
  readonly #files: NameFiles;
  #read: { hosts: Map<string, LookupAddress[]>; domains: string[] } = { hosts: new Map(), domains: [] };
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(files = SYSTEM_FILES) {
    this.#files = files;
  }

  /** Returns the addresses that a name has by itself; empty if it has none. */
  async addressesOf(name: string): Promise<LookupAddress[]> {
    await this.#refresh();
    const known = this.#read.hosts.get(name);
    if (known) return known;
    return name === 'localhost' || name.endsWith('.localhost') ? LOOPBACK.map(toAddress) : [];
  }

  /** Returns what name servers are to be asked for, one after the other. */
  async candidatesFor(name: string): Promise<string[]> {
    if (name.endsWith('.')) return [name];
    await this.#refresh();
    const inDomains = this.#read.domains.map((domain) => `${name}.${domain}`);
    // What has a dot is most likely the whole name.
    return name.includes('.') ? [name, ...inDomains] : [...inDomains, name];
  }

  async #refresh(): Promise<void> {
    if (performance.now() - this.#readAt < FRESH_MS) return;
    const [hosts, resolver] = await Promise.all([
      readOrNothing(this.#files.hosts),
      readOrNothing(this.#files.resolver),
    ]);
    this.#read = { hosts: parseHosts(hosts), domains: parseDomains(resolver) };
    this.#readAt = performance.now();
  }
}

function parseHosts(text: string): Map<string, LookupAddress[]> {
  const found = new Map<string, LookupAddress[]>();
  for (const [address = '', ...names] of wordsOf(text, /#.*/)) {
    if (isIP(address) === 0) continue;
    for (const name of names.map((one) => one.toLowerCase())) {
      found.set(name, [...(found.get(name) ?? []), toAddress(address)]);
    }
  }
  return found;
}

/** The last line that names some holds. */
function parseDomains(text: string): string[] {
  const lines = wordsOf(text, /[#;].*/).filter(([keyword]) => keyword === 'search' || keyword === 'domain');
  const [, ...domains] = lines.at(-1) ?? [];
  return domains
    .map((domain) => domain.replace(/\.$/, ''))
    .filter(Boolean)
    .slice(0, MAX_DOMAINS);
}

function wordsOf(text: string, comment: RegExp): string[][] {
  return text.split('\n').map((line) => line.replace(comment, '').trim().split(/\s+/));
}

function toAddress(address: string): LookupAddress {
  return { address, family: isIP(address) };
}

async function readOrNothing(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return '';
  }
}
