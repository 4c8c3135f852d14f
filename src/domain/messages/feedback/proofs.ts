/** What proves one request of a provider, and no other. */
import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import type { DataTask } from '../../../engine/periodic.ts';
import { deletionOfOldRows } from '../../delete-old-rows.ts';
import type { Proof } from './item.ts';

/** Days for which they are known: longer than any is good for. */
const DAYS = 1;

/** What was signed for one request was sent with another: nothing of it was recorded. */
export class ReusedProof extends Error {}

/** Keeps what a request is proven by. Throws `ReusedProof` if another one had it. */
export async function keepProof(tx: Sql, storeId: string, senderId: string, { token, told }: Proof): Promise<void> {
  await sql`
    insert into hook_proof (store_id, sender_id, token, told, received_at)
    values (${storeId}, ${senderId}, ${token}, ${told}, now())
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ told: string }>`
    select told from hook_proof
    where store_id = ${storeId} and sender_id = ${senderId} and token = ${token}`.execute(tx);
  if (rows[0]?.told !== told) throw new ReusedProof();
}

export function deletionOfProofs(): DataTask {
  return deletionOfOldRows({
    table: 'hook_proof',
    key: ['sender_id', 'token'],
    since: 'received_at',
    days: DAYS,
    failure: 'old proofs of hooks not deleted',
  });
}
