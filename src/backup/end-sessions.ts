import type { Client } from 'pg';

/**
 * Ends all sessions of people in a restored copy, their open invitations and links for new passwords: who was signed out or removed, and what was
 * revoked, after the backup is not known here. Returns whether the copy has people.
 */
export async function endAllSessions(client: Client): Promise<boolean> {
  // A backup of a version before has no people.
  const { rows } = await client.query(`select to_regclass('person_session') is not null as exists`);
  if (!rows[0].exists) return false;
  const { rows: links } = await client.query(`select to_regclass('password_reset') is not null as exist`);
  await client.query(`truncate person_session, invitation${links[0].exist ? ', password_reset' : ''}`);
  const { rows: people } = await client.query('select exists (select from membership) as exists');
  return people[0].exists;
}
