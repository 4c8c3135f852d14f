/** The hours between which some messages are sent: what is due at another time, as its sender is late, waits, or is skipped. */
import { sql } from 'kysely';
import { timestamps, uuids } from '../../../db/binary-arrays.ts';
import { parsed, type RawJson } from '../../../db/raw-json.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Name } from '../../conditions/comparison.ts';
import { lookUp } from '../../conditions/lookup.ts';
import type { Profile } from '../../profile.ts';
import { nextOpen, type OpenHours } from '../../time/open-hours.ts';
import { type QuietTimes, quietUntil } from '../../time/quiet-hours.ts';
import { zoneOf } from '../../time/zone.ts';

/** By the clock of the customer: in the zone that their profile has in an attribute, or the default. */
export interface HoursOfCampaign {
  hours: OpenHours & { otherwise: 'wait' | 'skip' };
  timeZone: { attribute?: Name; default: string };
}

/** Of what a campaign says about its times; null for any time. */
export function hoursOf(timing: RawJson | null): HoursOfCampaign | null {
  const { hours = null, timeZone = null } = timing?.parse<Partial<HoursOfCampaign>>() ?? {};
  return hours && timeZone && { hours, timeZone };
}

/** Returns when the next hours begin for a customer, in milliseconds; undefined if `now` is in some. */
function opensAt({ hours, timeZone }: HoursOfCampaign, profile: Profile | undefined, now: number): number | undefined {
  const { attribute } = timeZone;
  const value = profile && attribute !== undefined ? lookUp(parsed(profile.attributes), attribute) : undefined;
  const at = nextOpen(hours, zoneOf(timeZone, value).name, now);
  return at > now ? at : undefined;
}

/** When a message may go that is not to go now, in milliseconds, and whether it waits until then. */
export interface Closed {
  opensAt: number;
  otherwise: 'wait' | 'skip';
}

/** Looks whether a message may go by the hours of its campaign, or the quiet ones of its automation; undefined if it may. */
export function closedFor(
  { campaign, quiet }: { campaign: { hours: HoursOfCampaign | null } | undefined; quiet: RawJson | null },
  profile: Profile | undefined,
  now: number,
): Closed | undefined {
  if (campaign?.hours) {
    const at = opensAt(campaign.hours, profile, now);
    return at === undefined ? undefined : { opensAt: at, otherwise: campaign.hours.hours.otherwise };
  }
  if (quiet === null) return undefined;
  const { zone, then = 'wait', ...hours } = quiet.parse<QuietTimes>();
  const until = quietUntil(hours, zone, now);
  return until === undefined ? undefined : { opensAt: until, otherwise: then };
}

/** Puts messages back that the caller holds, each until a time in milliseconds. */
export async function putBack(
  tx: Sql,
  storeId: string,
  messages: readonly { id: string; dueAt: number }[],
): Promise<void> {
  await sql`
    update message m set status = 'waiting', due_at = w.due_at
    from unnest(
      ${uuids(messages.map(({ id }) => id))}::uuid[],
      ${timestamps(messages.map(({ dueAt }) => new Date(dueAt)))}::timestamptz[]
    ) as w (id, due_at)
    cross join lateral (
      select ctid as place from message where store_id = ${storeId} and ${exactly('id', 'w.id')} order by id limit 1
    ) found
    where m.ctid = found.place`.execute(tx);
}
