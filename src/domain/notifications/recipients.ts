import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { type Role, scopesOfRole } from '../people/roles.ts';
import type { NewNotification } from './queue.ts';

/** People of a store who are told something by mail, at most: whoever has joined first. */
export const MAX_RECIPIENTS = 200;

/** What somebody wants to be told of a store by mail. */
export interface Choices {
  attention: boolean;
  weeklyReport: boolean;
}

export interface Recipient extends Choices {
  personId: string;
  name: string;
  email: string;
  role: Role;
}

/** Whether a role may have the weekly report. */
export const mayHaveReport = (role: Role): boolean => scopesOfRole(role).has('reports:read');

/** Whether somebody is told something of a kind: the choice, or the role, may be another by the time that it is sent. */
export const wants = (
  kind: NewNotification['kind'],
  { attention, weeklyReport, role }: Choices & { role: Role },
): boolean => (kind === 'attention' ? attention : weeklyReport && mayHaveReport(role));

/** The people of a store who want to be told something; `db` is what stores have in common. */
export async function findRecipients(db: Sql, storeId: string): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select p.id as "personId", p.name, coalesce(p.provider_email, p.email) as email, m.role, m.attention_mails as attention, m.weekly_report as "weeklyReport"
    from membership m join person p on p.id = m.person_id
    where m.store_id = ${storeId} and (m.attention_mails or m.weekly_report)
    order by m.created_at, p.id limit ${MAX_RECIPIENTS}`.execute(db);
  return rows;
}

/** What a person has chosen in a store; undefined for somebody who is none of its people. */
export async function readChoices(
  db: Sql,
  storeId: string,
  personId: string,
): Promise<(Choices & { role: Role }) | undefined> {
  const { rows } = await sql<Choices & { role: Role }>`
    select role, attention_mails as attention, weekly_report as "weeklyReport" from membership
    where store_id = ${storeId} and person_id = ${personId}`.execute(db);
  return rows[0];
}

/** Has a person told by mail what they choose, and the store looked at soon. */
export async function choose(db: Sql, storeId: string, personId: string, choices: Choices): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      update membership set attention_mails = ${choices.attention}, weekly_report = ${choices.weeklyReport}
      where store_id = ${storeId} and person_id = ${personId}`.execute(tx);
    await sql`
      insert into notification_settings (store_id, check_at) values (${storeId}, now())
      on conflict (store_id) do update set check_at = excluded.check_at`.execute(tx);
  });
}
