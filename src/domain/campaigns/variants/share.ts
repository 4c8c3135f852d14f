import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { CampaignTest } from '../campaign.ts';

/** What of a campaign decides what a customer gets. */
export interface Split {
  id: string;
  holdOut: number;
  test: Pick<CampaignTest, 'variants' | 'percent'> | null;
}

/** What is drawn: a hash of the campaign and the customer, of other bytes than the id of their message, below this. */
const ALL = 2 ** 32;

/** Up to which numbers customers are held out, and up to which they try a variant. */
function bounds({ holdOut, test }: Split): { heldOut: number; tested: number } {
  const heldOut = Math.round((ALL * holdOut) / 100);
  return { heldOut, tested: heldOut + Math.round(((ALL - heldOut) * (test?.percent ?? 0)) / 100) };
}

/** Whether a customer gets nothing, so that they can be compared. */
export function isHeldOut(split: Split, profileId: string): boolean {
  const digest = createHash('sha256').update(`${split.id} ${profileId}`).digest();
  return digest.readUInt32BE(16) < bounds(split).heldOut;
}

/** The variant that a customer of a column tries: 0 for none, null for who is held out. */
export function variantOf(split: Split, column: string): RawBuilder<unknown> {
  const { heldOut, tested } = bounds(split);
  if (tested === 0) return sql`0`;
  const digest = sql`sha256(convert_to(${`${split.id} `} || ${sql.ref(column)}::text, 'UTF8'))`;
  const count = split.test?.variants.length ?? 0;
  return sql`(
    select case
        when n < ${heldOut}::bigint then null
        when n < ${tested}::bigint then 1 + (n - ${heldOut}::bigint) * ${count}::bigint / ${Math.max(1, tested - heldOut)}::bigint
        else 0
      end
    from (select ('x' || substr(encode(${digest}, 'hex'), 33, 8))::bit(32)::bigint as n) hash
  )`;
}
