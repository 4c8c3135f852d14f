import { type RawBuilder, sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../reading/cursor.ts';
import type { Campaign, CampaignAudience, CampaignStatus, CampaignTest, PinnedVariant } from './campaign.ts';
import type { CampaignTiming } from './timing.ts';

interface CampaignRow
  extends Omit<
    Campaign,
    | 'audience'
    | 'timing'
    | 'test'
    | 'variants'
    | 'scheduledAt'
    | 'startedAt'
    | 'preparedAt'
    | 'finishedAt'
    | 'testedAt'
    | 'decidedAt'
    | 'createdAt'
    | 'updatedAt'
  > {
  audience: RawJson | null;
  timing: RawJson | null;
  test: RawJson | null;
  variants: RawJson | null;
  scheduled: number | null;
  started: number | null;
  prepared: number | null;
  finished: number | null;
  tested: number | null;
  decided: number | null;
  created: number;
  updated: number;
  candidates?: never;
}

const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

const COLUMNS = sql`
  id, name, channel, subject, template_id as "templateId", sender_id as "senderId", audience, timing, test, hold_out as "holdOut",
  coupon_pool_id as "couponPoolId",
  variants, verdict, winner, status, reason, revision, template_version as "templateVersion", class,
  recipients::float8 as recipients, without_zone::float8 as "withoutZone", unknown_zone::float8 as "unknownZone",
  ${ms('scheduled_at')} as scheduled, ${ms('started_at')} as started, ${ms('prepared_at')} as prepared,
  ${ms('finished_at')} as finished, ${ms('tested_at')} as tested, ${ms('decided_at')} as decided,
  ${ms('created_at')} as created, ${ms('updated_at')} as updated`;

/** Undefined if the store has no such campaign; `lock` keeps others from changing it meanwhile. */
export async function findCampaign(
  db: Sql,
  storeId: string,
  id: string,
  lock: RawBuilder<unknown> = sql``,
): Promise<Campaign | undefined> {
  const { rows } = await sql<CampaignRow>`
    select ${COLUMNS} from campaign where store_id = ${storeId} and id = ${id} ${lock}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** The same, which nobody else changes until the transaction ends. */
export async function lockCampaign(tx: Sql, storeId: string, id: string): Promise<Campaign | undefined> {
  return await findCampaign(tx, storeId, id, sql`for update`);
}

/** Returns the campaigns of the store, newest first. */
export async function listCampaigns(
  db: Sql,
  storeId: string,
  { status }: { status: CampaignStatus | undefined },
  page: PageRequest,
): Promise<Page<Campaign>> {
  const before = readBefore(page.cursor);
  const { rows } = await sql<CampaignRow>`
    select ${COLUMNS} from campaign
    where store_id = ${storeId} and id < ${before} ${status === undefined ? sql`` : sql`and status = ${status}`}
    order by id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, fromRow, idCursor);
}

function fromRow({
  candidates: _,
  audience,
  timing,
  test,
  variants,
  scheduled,
  started,
  prepared,
  finished,
  tested,
  decided,
  created,
  updated,
  ...row
}: CampaignRow): Campaign {
  return {
    ...row,
    audience: audience?.parse<CampaignAudience>() ?? null,
    timing: timing?.parse<CampaignTiming>() ?? null,
    test: test?.parse<CampaignTest>() ?? null,
    variants: variants?.parse<PinnedVariant[]>() ?? null,
    scheduledAt: toDate(scheduled),
    startedAt: toDate(started),
    preparedAt: toDate(prepared),
    finishedAt: toDate(finished),
    testedAt: toDate(tested),
    decidedAt: toDate(decided),
    createdAt: new Date(created),
    updatedAt: new Date(updated),
  };
}

function toDate(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}
