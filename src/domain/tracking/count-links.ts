import { sql } from 'kysely';
import { integers, texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import type { Hit } from './core/judge.ts';
import type { MessageOfEvent } from './message-events.ts';

interface Judged {
  message: Pick<MessageOfEvent, 'source' | 'sourceId' | 'templateId'>;
  hits: readonly Hit[];
  judgement: { verdicts: ReadonlyMap<string, boolean> };
}

interface Counted {
  campaignId: string;
  templateId: string;
  link: number;
  url: string;
  clicks: number;
  machineClicks: number;
}

/** Counts clicks that were judged, by the link of the campaign that was followed; not those of the link that nobody sees. */
export async function countLinks(tx: Sql, storeId: string, judged: readonly Judged[]): Promise<void> {
  const sums = new Map<string, Counted>();
  for (const { message, hits, judgement } of judged) {
    const { source, sourceId, templateId } = message;
    if (source !== 'campaign' || sourceId === null || templateId === null) continue;
    for (const { id, link, url } of hits) {
      const isMachine = judgement.verdicts.get(id);
      if (isMachine === undefined || !link || url === null) continue;
      const key = `${sourceId} ${templateId} ${link}`;
      const sum = sums.get(key) ?? { campaignId: sourceId, templateId, link, url, clicks: 0, machineClicks: 0 };
      sum[isMachine ? 'machineClicks' : 'clicks'] += 1;
      // What follows may say who the customer is.
      sums.set(key, { ...sum, url: url.replace(/[?#].*/s, '') });
    }
  }
  if (sums.size === 0) return;
  // In one order: no two transactions deadlock.
  const rows = [...sums.keys()].sort().map((key) => sums.get(key) as Counted);
  await sql`
    insert into campaign_link as l (store_id, campaign_id, template_id, link, clicks, machine_clicks, url)
    select ${storeId}::uuid, * from unnest(
      ${uuids(rows.map(({ campaignId }) => campaignId))}::uuid[], ${uuids(rows.map(({ templateId }) => templateId))}::uuid[],
      ${integers(rows.map(({ link }) => link))}::int[], ${integers(rows.map(({ clicks }) => clicks))}::int[],
      ${integers(rows.map(({ machineClicks }) => machineClicks))}::int[], ${texts(rows.map(({ url }) => url))}::text[]
    )
    on conflict (store_id, campaign_id, template_id, link) do update
    set clicks = l.clicks + excluded.clicks, machine_clicks = l.machine_clicks + excluded.machine_clicks, url = excluded.url`.execute(
    tx,
  );
}
