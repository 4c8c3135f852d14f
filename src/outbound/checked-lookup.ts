import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { LOOPBACK, type Networks } from '../domain/webhooks/endpoints/networks.ts';
import { type NameFiles, SYSTEM_FILES, SystemNames } from './system-names.ts';

/** Resolves a name to all of its addresses; empty if it has none. */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

/** The address must not be connected to. */
export class RefusedAddress extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * Resolves by what the machine's own files say, and by asking name servers directly: the system's resolver has few threads,
 * which names that never answer would hold. `servers` are those of the system by default.
 */
export function resolveByServers(servers?: readonly string[], files: NameFiles = SYSTEM_FILES): Resolve {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (servers) resolver.setServers(servers);
  const names = new SystemNames(files);
  return async (name) => {
    const own = await names.addressesOf(name.toLowerCase());
    if (own.length > 0) return own;
    for (const candidate of await names.candidatesFor(name)) {
      const addresses = await askServers(resolver, candidate);
      if (addresses.length > 0) return addresses;
    }
    return [];
  };
}

async function askServers(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
}

/**
 * Returns a look-up for sockets. All addresses of a name have to be permitted, and the socket connects to one of just
 * these: the name is not looked up again in between.
 */
export function checkedLookup(resolve: Resolve, networks: Pick<Networks, 'permits'>): LookupFunction {
  return (name, options, callback) => {
    lookUp(resolve, networks, name).then(
      (addresses) => {
        const [first] = addresses as [LookupAddress, ...LookupAddress[]];
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
}

async function lookUp(resolve: Resolve, networks: Pick<Networks, 'permits'>, name: string): Promise<LookupAddress[]> {
  const found = await resolve(name);
  // The machine itself may be excepted in one of the two families alone.
  const isOwn = found.every(({ address }) => LOOPBACK.includes(address));
  const addresses = isOwn ? found.filter(({ address }) => networks.permits(address)) : found;
  if (found.length > 0 && addresses.length === 0) throw refused();
  if (addresses.length === 0) throw Object.assign(new Error('The name has no address'), { code: 'ENOTFOUND' });
  if (addresses.every(({ address }) => networks.permits(address))) return addresses;
  throw refused();
}

function refused(): RefusedAddress {
  return new RefusedAddress('The name leads to an address that is not permitted');
}
