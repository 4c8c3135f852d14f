import { createHmac } from 'node:crypto';
import type { Sql } from '../../../db/sql.ts';
import { drawnKey } from '../../secrets/open-secrets.ts';

/** Returns what a store keeps of an address to which nothing is sent, in place of the address. */
export type AddressDigest = (address: string) => Buffer;

/**
 * By a key of its own, which is never replaced: what was suppressed stays so, whichever secrets are configured. Addresses
 * are in their canonical form.
 */
export async function openAddressDigest(shared: Sql): Promise<AddressDigest> {
  const key = await drawnKey(shared, 'addresses');
  return (address) => createHmac('sha256', key).update(address.toLowerCase()).digest();
}
