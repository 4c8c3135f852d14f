import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { HIGHEST_ID, isId, timeOf } from '../../../ids/uuid-v7.ts';
import {
  decode,
  encode,
  idCursor,
  notACursor,
  type Page,
  type PageRequest,
  readIdCursor,
} from '../../reading/cursor.ts';
import type { Trigger } from '../core/definition/definition.ts';
import type { SkipDetail, SkipReason } from '../core/machine/skip.ts';
import type { EntryCandidate } from './candidate.ts';
import { readRuns } from './runs.ts';

/** How far a page has come among the runs, and among the reasons why none was started. */
interface Place {
  runId: string;
  /** Milliseconds, and a hash of the trigger's id. */
  skip: { at: number; hash: string };
}

interface SkipRow {
  triggerId: string;
  reason: SkipReason;
  detail: RawJson;
  at: number;
  hash: string;
}

type Placed = EntryCandidate & { place: Partial<Place> };

const START: Place = { runId: HIGHEST_ID, skip: { at: Date.UTC(9999, 0), hash: '' } };

/**
 * Returns what an automation that no event triggers has decided about a customer, newest first: what is not written down
 * can't be found out again.
 */
export async function explainOthers(
  db: Sql,
  storeId: string,
  { automationId, profileId, type }: { automationId: string; profileId: string; type: Trigger['type'] },
  { limit, cursor }: PageRequest,
): Promise<Page<EntryCandidate>> {
  const start = cursor === undefined ? START : readCursor(cursor);
  const from = start === START ? undefined : idCursor({ id: start.runId });
  const runs = await readRuns(db, storeId, { automationId, profileId }, { limit, cursor: from });
  const skips = await readSkips(db, storeId, automationId, profileId, start.skip, limit + 1);
  const all: Placed[] = [
    ...runs.items.map(({ id, trigger, startedAt }): Placed => {
      const times = { occurredAt: trigger.at, receivedAt: startedAt };
      const decision = { made: 'entered', runId: id } as const;
      return { type: trigger.type, event: null, ...times, decision, place: { runId: id } };
    }),
    ...skips.map(({ triggerId, reason, detail, at, hash }): Placed => {
      const times = { occurredAt: isId(triggerId) ? timeOf(triggerId) : at, receivedAt: at };
      const decision = { made: 'skipped', reason, detail: detail.parse<SkipDetail>() } as const;
      return { type: typeOf(triggerId) ?? type, event: null, ...times, decision, place: { skip: { at, hash } } };
    }),
  ].sort((one, other) => other.receivedAt - one.receivedAt);
  const shown = all.slice(0, limit);
  const place: Place = Object.assign({}, start, ...shown.map((one) => one.place));
  const areAllRuns = runs.items.length === 0 || place.runId === runs.items.at(-1)?.id;
  if (areAllRuns && runs.next !== null) place.runId = readIdCursor(runs.next);
  const isMore = all.length > limit || runs.next !== null;
  const items = shown.filter((one) => one.type === type).map(({ place: _, ...candidate }) => candidate);
  return { items, next: isMore ? writeCursor(place) : null };
}

async function readSkips(
  db: Sql,
  storeId: string,
  automationId: string,
  profileId: string,
  { at, hash }: Place['skip'],
  limit: number,
): Promise<SkipRow[]> {
  const { rows } = await sql<SkipRow>`
    select trigger_id as "triggerId", reason, detail, (extract(epoch from skipped_at) * 1000)::float8 as at,
      md5(trigger_id) as hash
    from automation_skip
    where store_id = ${storeId} and automation_id = ${automationId} and profile_id = ${profileId}
      and skipped_at <= ${new Date(at)}::timestamptz
      and (skipped_at, md5(trigger_id)) < (${new Date(at)}::timestamptz, ${hash})
    order by skipped_at desc, md5(trigger_id) desc
    limit ${limit}`.execute(db);
  return rows;
}

/** By what its id begins with; that of a change is its own, of which the automation says what it is about. */
function typeOf(triggerId: string): Trigger['type'] | undefined {
  if (triggerId.startsWith('date:')) return 'date';
  if (triggerId.startsWith('schedule:')) return 'schedule';
  return triggerId.startsWith('manual:') ? 'manual' : undefined;
}

function writeCursor({ runId, skip }: Place): string {
  return encode(`${runId} ${skip.at} ${skip.hash}`);
}

function readCursor(cursor: string): Place {
  const [, runId = '', at = '', hash = ''] = /^(\S+) (\d{1,15}) ([0-9a-f]{32})?$/.exec(decode(cursor) ?? '') ?? [];
  const place = { runId, skip: { at: Number(at), hash } };
  if (!isId(runId) || place.skip.at > START.skip.at || writeCursor(place) !== cursor) throw notACursor();
  return place;
}
