/** What may not be sent at this hour by the clocks of its recipients: some at a time, however slow its sender is. */
import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { putBack } from '../../messages/sending/hours.ts';
import { nextOpen } from '../../time/open-hours.ts';
import { zoneOf } from '../../time/zone.ts';
import type { CampaignTiming } from '../timing.ts';
import { nextWaiting, waitingIn } from './messages.ts';
import { zoneValue } from './timed.ts';

interface Of {
  id: string;
  startedAt: Date;
  recipients: number;
  timing: CampaignTiming | null;
}

interface Row {
  id: string;
  zone: string | null;
}

/**
 * Puts the next messages from one on back, which wait and are due, each until its campaign may be sent to its customer. Returns
 * from which to go on; undefined once all were looked at. What is skipped outside the hours is decided as it is claimed.
 */
export async function putBackClosed(tx: Sql, storeId: string, campaign: Of, from: string): Promise<string | undefined> {
  const { hours = null, timeZone = null } = campaign.timing ?? {};
  if (!hours || !timeZone || hours.otherwise !== 'wait') return undefined;
  const now = Date.now();
  const opens = new Map<string, number>();
  const opensAt = (zone: string | null): number => {
    const { name } = zoneOf(timeZone, zone);
    const at = opens.get(name) ?? nextOpen(hours, name, now);
    opens.set(name, at);
    return at;
  };
  return await nextWaiting(campaign, from, async (range) => {
    const columns = sql`id, ${zoneValue(storeId, { timeZone })} as zone`;
    const waiting = waitingIn(storeId, campaign, range, columns, sql`due_at <= now()`);
    const { rows } = await sql<Row>`${waiting}`.execute(tx);
    const closed = rows.map(({ id, zone }) => ({ id, dueAt: opensAt(zone) })).filter(({ dueAt }) => dueAt > now);
    if (closed.length > 0) await putBack(tx, storeId, closed);
    return { count: rows.length, last: rows.at(-1)?.id ?? null };
  });
}
