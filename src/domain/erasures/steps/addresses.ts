import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import type { Step, SweepTools } from '../../sweeps/step.ts';
import type { Erasing, KnownIdentifier } from '../erasure.ts';

/** Forgets the address of somebody to whom nothing is sent: by its digest it stays suppressed. */
export const sweepAddresses: Step<Erasing> = async (tx, { storeId, identifiers }, _after, tools) => {
  const emptied = await eachAddress(identifiers, tools, async (digest) => {
    const { rows } = await sql`
      update suppressed_address set address = null
      where store_id = ${storeId} and digest = ${digest} and address is not null returning 1`.execute(tx);
    return rows.length;
  });
  return { counts: { suppressed_address: emptied }, next: null };
};

/** What an address did not take, of messages that are gone. */
export const sweepSoftBounces: Step<Erasing> = async (tx, { storeId, identifiers }, _after, tools) => {
  const deleted = await eachAddress(identifiers, tools, (digest) => deleteBounces(tx, storeId, digest));
  return { counts: { soft_bounce: deleted }, next: null };
};

async function deleteBounces(tx: Sql, storeId: string, digest: Buffer): Promise<number> {
  const { rows } = await sql`
    delete from soft_bounce where store_id = ${storeId} and digest = ${digest} returning 1`.execute(tx);
  return rows.length;
}

async function eachAddress(
  identifiers: readonly KnownIdentifier[],
  { addressDigest }: SweepTools,
  work: (digest: Buffer) => Promise<number>,
): Promise<number> {
  let rows = 0;
  for (const { kind, value } of identifiers) if (kind === 'email') rows += await work(addressDigest(value));
  return rows;
}
