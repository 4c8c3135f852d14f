import type { Client } from 'pg';

/**
 * Keeps the automations of a restored copy from doing anything by themselves, its messages from being sent and its campaigns from going on, and has them read the change feed from its
 * new beginning: what they had not read of the old one is gone. Returns for how many stores.
 */
export async function holdAutomations(client: Client): Promise<number> {
  // A backup of a version before has no automations.
  const { rows } = await client.query(`select to_regclass('automation_hold') is not null as exists`);
  if (!rows[0].exists) return 0;
  const { rows: tables } = await client.query(`select to_regclass('message') is not null as exists`);
  const messages = tables[0].exists
    ? 'union all select store_id from sender union all select store_id from message'
    : '';
  // A file that pg_dump made by itself has their rows.
  await client.query('truncate addition, feed_head, feed_reader, automation_hold');
  const { rowCount } = await client.query(`
    insert into automation_hold (store_id, held_at)
    select store_id, now() from (select store_id from automation ${messages}) as stores group by store_id`);
  await client.query(`
    insert into feed_head (store_id, position) select distinct store_id, 0 from automation where status <> 'draft'`);
  await client.query(`
    insert into feed_reader (store_id, name, entry, items, read_at)
    select store_id, 'automations', 0, 0, now() from feed_head`);
  await client.query(`
    update automation set read_status = status, read_version = version
    where (read_status, read_version) is distinct from (status, version)`);
  await holdCampaigns(client);
  return rowCount ?? 0;
}

/** What the copied store has sent since is not known here: whoever releases the copy decides about each. */
async function holdCampaigns(client: Client): Promise<void> {
  const { rows } = await client.query(`select to_regclass('campaign') is not null as exists`);
  if (!rows[0].exists) return;
  await client.query(`
    update campaign set status = 'held', has_parked = true,
      due_at = case when started_at is not null then now() end
    where status in ('scheduled', 'preparing', 'sending')`);
}
