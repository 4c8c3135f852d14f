import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

/** A link of the messages of a campaign that somebody has followed. */
export interface CampaignLink {
  templateId: string;
  /** Its place in the message, from 1. */
  link: number;
  /** Where it led whoever followed it last, without its query. */
  url: string;
  /** By people, and by programs. */
  clicks: number;
  machineClicks: number;
}

/** Links that are shown. */
const MOST = 500;

/** In the order of the message; of one with very many the first. */
export async function readLinks(db: Sql, storeId: string, id: string): Promise<CampaignLink[]> {
  const { rows } = await sql<CampaignLink>`
    select template_id as "templateId", link, url, clicks::float8 as clicks, machine_clicks::float8 as "machineClicks"
    from campaign_link
    where store_id = ${storeId} and campaign_id = ${id}
    order by template_id, link limit ${MOST}`.execute(db);
  return rows;
}
