import type { Client } from 'pg';

/** Notes of all stores of a restored copy that whoever was erased since may be there again. */
export async function markErasures(client: Client): Promise<void> {
  // A backup of a version before has no such note.
  const { rows } = await client.query(`select to_regclass('erasure_gap') is not null as exists`);
  if (!rows[0].exists) return;
  await client.query('truncate erasure_gap');
  await client.query('insert into erasure_gap (store_id, restored_at) select id, now() from store');
}
