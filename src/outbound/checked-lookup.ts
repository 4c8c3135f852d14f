import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { Networks } from '../domain/webhooks/endpoints/networks.ts';

/** Resolves a name to all of its addresses; empty if it has none. */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

/** The address must not be connected to. */
export class RefusedAddress extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * Resolves by asking name servers directly: the system's resolver has few threads, which names that never answer would
 * hold. `servers` are those of the system by default.
 */
export function resolveByServers(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    return addresses;
  };
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
  const addresses = await resolve(name);
  if (addresses.length === 0) throw Object.assign(new Error('The name has no address'), { code: 'ENOTFOUND' });
  if (addresses.every(({ address }) => networks.permits(address))) return addresses;
  throw new RefusedAddress('The name leads to an address that is not permitted');
}
