import type { Client } from 'pg';

/**
 * Ends all sessions of people in a restored copy, their open invitations and links for new passwords: who was signed out or
 * removed, and what was revoked, after the backup is not known here. Returns whether the copy has people.
 */
export async function endAllSessions(client: Client): Promise<boolean> {
  // A backup of a version before may have none of them, or some.
  const { rows } = await client.query<{ name: string }>(`
    select name from unnest(array['person_session', 'provider_sign_in', 'invitation', 'password_reset']) as name
    where to_regclass(name) is not null`);
  if (rows.length === 0) return false;
  await client.query(`truncate ${rows.map(({ name }) => name).join(', ')}`);
  const { rows: people } = await client.query('select exists (select from membership) as exists');
  return people[0].exists;
}
