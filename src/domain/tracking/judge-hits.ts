import { sql } from 'kysely';
import { integers, texts, uuids } from '../../db/binary-arrays.ts';
import { exactly, rowExactly } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';
import type { DataTask } from '../../engine/periodic.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import { noteChanged } from '../campaign-counts.ts';
import { withReader } from '../feed/readers.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { READER } from './attribution/reader.ts';
import { EMAIL_CLICKED, EMAIL_OPENED } from './core/event-types.ts';
import { type Hit, type Judgement, judge, WAIT_MS } from './core/judge.ts';
import { countLinks } from './count-links.ts';
import { COLUMNS_OF_EVENT, type MessageEvent, type MessageOfEvent, recordMessageEvents } from './message-events.ts';

/** Hits of a store that are judged in one transaction, with the others that their messages have. */
const MOST_HITS = 250;
/** Milliseconds before the first hit of a store from which on its orders are read. */
const BEFORE_MS = 60_000;
const WAIT = sql`make_interval(secs => ${WAIT_MS / 1000})`;

/**
 * Says of opens and clicks whether they were those of a person: those are shown with their message and become events, once,
 * in the transaction that says so. Stores take turns.
 */
export function judgementOfHits(): DataTask {
  // Where there are more stores than one run gets through, the next one goes on.
  let after = LOWEST_ID;
  return {
    failure: 'opens and clicks not looked at',
    everyMs: 1_000,
    rows: 'message_hit where judged_at is null',
    forMs: 5_000,
    async run(db, until) {
      let isMore = false;
      while (performance.now() < until) {
        const storeId = await nextStore(db, after);
        after = storeId ?? LOWEST_ID;
        if (storeId !== undefined) {
          // What comes of clicks is read, also of the first one, from before it on.
          const reader = { storeId, name: READER };
          const isSome = await retryConflicts(db, () =>
            withReader(
              db,
              reader,
              async () => {},
              (tx) => judgeSome(tx, storeId),
              (own) => beforeFirstHit(own, storeId),
            ),
          );
          isMore ||= isSome;
        } else if (isMore) isMore = false;
        else return;
      }
    },
  };
}

/** Of those that are to be judged; with what a transaction may take that was begun before and has committed since. */
async function beforeFirstHit(db: Sql, storeId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from hit_at) * 1000)::float8 as at from message_hit
    where store_id = ${storeId} and judged_at is null
    order by hit_at limit 1`.execute(db);
  return rows[0] && new Date(rows[0].at - BEFORE_MS);
}

async function nextStore(db: Sql, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ storeId: string }>`
    select store_id as "storeId" from message_hit
    where judged_at is null and store_id > ${after}
    order by store_id, hit_at limit 1`.execute(db);
  return rows[0]?.storeId;
}

interface MessageRow extends MessageOfEvent {
  begunAt: number | null;
  openedAt: number | null;
}

interface Judged {
  message: MessageRow;
  hits: readonly Hit[];
  judgement: Judgement;
}

/** Returns whether any were judged: none is that by the clock of this process still waits. */
async function judgeSome(tx: Sql, storeId: string): Promise<boolean> {
  const messages = await lockMessages(tx, storeId);
  if (messages.length === 0) return false;
  const hits = await readHits(
    tx,
    storeId,
    messages.map(({ id }) => id),
  );
  const now = Date.now();
  const judged = messages.map((message): Judged => {
    const some = hits.get(message.id) ?? [];
    return { message, hits: some, judgement: judge(message, some, now) };
  });
  await writeVerdicts(tx, storeId, judged);
  await writeMessages(tx, storeId, judged);
  await countLinks(tx, storeId, judged);
  await recordMessageEvents(tx, storeId, judged.flatMap(eventsOf));
  await noteChanged(tx, storeId, messages);
  return judged.some(({ judgement }) => judgement.verdicts.size > 0);
}

/** Those that another process looks at are left to it. */
async function lockMessages(tx: Sql, storeId: string): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${COLUMNS_OF_EVENT},
      (extract(epoch from begun_at) * 1000)::float8 as "begunAt",
      (extract(epoch from opened_at) * 1000)::float8 as "openedAt"
    from message
    where store_id = ${storeId} and id = any(array(
      select message_id from message_hit h
      where store_id = ${storeId} and judged_at is null and hit_at <= now() - ${WAIT}
        and exists (select from message m where m.store_id = ${storeId} and m.id = h.message_id)
      order by hit_at limit ${MOST_HITS}
    ))
    order by id
    for update skip locked`.execute(tx);
  return rows;
}

async function readHits(tx: Sql, storeId: string, messageIds: readonly string[]): Promise<Map<string, Hit[]>> {
  const { rows } = await sql<Hit & { messageId: string }>`
    select h.message_id as "messageId", h.id, (extract(epoch from h.hit_at) * 1000)::float8 as at, h.kind, h.link, h.url,
      h.is_machine as "isMachine", h.judged_at is not null as "isJudged"
    from unnest(${uuids(messageIds)}::uuid[]) as w (id)
    cross join lateral (
      select * from message_hit where store_id = ${storeId} and ${exactly('message_id', 'w.id')} order by message_id, id
    ) h`.execute(tx);
  return Map.groupBy(rows, ({ messageId }) => messageId);
}

async function writeVerdicts(tx: Sql, storeId: string, judged: readonly Judged[]): Promise<void> {
  const verdicts = judged.flatMap(({ message, judgement }) =>
    [...judgement.verdicts].map(([id, isMachine]) => ({ messageId: message.id, id, isMachine })),
  );
  await sql`
    update message_hit h set judged_at = now(), is_machine = v.machine = 1
    from (
      select found.ctid as place, w.machine from unnest(
        ${uuids(verdicts.map(({ messageId }) => messageId))}::uuid[],
        ${uuids(verdicts.map(({ id }) => id))}::uuid[],
        ${integers(verdicts.map(({ isMachine }) => (isMachine ? 1 : 0)))}::int[]
      ) as w (message_id, id, machine)
      cross join lateral (
        select ctid from message_hit
        where store_id = ${storeId} and ${exactly('message_id', 'w.message_id')} and ${exactly('id', 'w.id')}
        order by message_id, id limit 1
      ) found
    ) v
    where h.ctid = v.place`.execute(tx);
}

async function writeMessages(tx: Sql, storeId: string, judged: readonly Judged[]): Promise<void> {
  const rows = judged.map(({ message, hits, judgement }) => {
    const some = (kind: Hit['kind'], isMachine: boolean) =>
      hits.filter((hit) => hit.kind === kind && judgement.verdicts.get(hit.id) === isMachine);
    const clicks = some('click', false);
    return {
      id: message.id,
      counts: [some('open', false).length, clicks.length, some('open', true).length, some('click', true).length],
      openedAt: judgement.opened?.at,
      clickedAt: clicks.length === 0 ? undefined : Math.min(...clicks.map(({ at }) => at)),
    };
  });
  const time = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
  const counts = (i: number) => integers(rows.map((row) => row.counts[i] as number));
  await sql`
    update message m
    set opens = m.opens + j.opens, clicks = m.clicks + j.clicks,
      machine_opens = m.machine_opens + j.machine_opens, machine_clicks = m.machine_clicks + j.machine_clicks,
      opened_at = coalesce(m.opened_at, j.opened_at::timestamptz),
      clicked_at = coalesce(m.clicked_at, j.clicked_at::timestamptz)
    from (
      select w.*, found.place from unnest(
        ${uuids(rows.map(({ id }) => id))}::uuid[], ${counts(0)}::int[], ${counts(1)}::int[], ${counts(2)}::int[],
        ${counts(3)}::int[], ${texts(rows.map(({ openedAt }) => time(openedAt)))}::text[],
        ${texts(rows.map(({ clickedAt }) => time(clickedAt)))}::text[]
      ) as w (id, opens, clicks, machine_opens, machine_clicks, opened_at, clicked_at)
      cross join lateral ${rowExactly('message', storeId, 'w.id')} found
    ) j
    where m.ctid = j.place`.execute(tx);
}

function eventsOf({ message, judgement: { opened, clicked } }: Judged): MessageEvent[] {
  const opens = opened ? [{ message, eventType: EMAIL_OPENED, at: new Date(opened.at) }] : [];
  return [
    ...opens,
    ...clicked.map(({ at, url, link }) => ({
      message,
      eventType: EMAIL_CLICKED,
      at: new Date(at),
      properties: { url, link },
    })),
  ];
}
