import { sql } from 'kysely';
import { headsOfQueues } from '../../db/rows.ts';
import type { StoreData } from '../../db/store-data.ts';
import { IS_READY } from '../senders/find-senders.ts';
import { MAY_SEND_TODAY } from '../senders/warm-up.ts';

/** What the sending of messages has to do, over all stores. */
export interface MessageBacklog {
  /** Messages that wait, also for their time, or are being sent; of each part of the data, counted up to `MAX_COUNTED`. */
  waiting: number;
  /** Seconds for which the message has been due that has been so longest, of senders that may send. */
  lagSeconds: number;
  /** Senders that rest, as they did nothing but fail. */
  resting: number;
  /** Messages that were taken to be sent, and that nobody goes on with. */
  stranded: number;
}

const MAX_COUNTED = 100_000;
/** Minutes after the end of its lease after which nobody seems to go on with a message. */
const STRANDED_MINUTES = 10;

/** Reads a part of the queue at most, and a row for each sender that something waits for. */
export async function measureMessages(stores: Pick<StoreData, 'each'>): Promise<MessageBacklog> {
  const backlog: MessageBacklog = { waiting: 0, lagSeconds: 0, resting: 0, stranded: 0 };
  await stores.each(async (db) => {
    const { rows } = await sql<MessageBacklog>`
      with recursive ${headsOfQueues('senders', 'message', 'sender_id')}, sending as materialized (
        select s.store_id, s.id, q.due_at from senders q
        join sender s on s.store_id = q.store_id and s.id = q.sender_id
        where (s.deleted_at is not null or (${IS_READY} and (s.resting_until is null or s.resting_until <= now())))
          and ${MAY_SEND_TODAY}
          and not exists (select from automation_hold h where h.store_id = s.store_id)
      )
      select
        (
          select count(*) from (
            select from message where due_at is not null
            order by store_id, sender_id, due_at
            limit ${MAX_COUNTED}
          ) as counted
        )::float8 as waiting,
        greatest(0, (select max(extract(epoch from now() - due_at)) from sending where isfinite(due_at)))::float8 as "lagSeconds",
        (
          select count(*) from sender where resting_until > now() and deleted_at is null
        )::float8 as resting,
        (
          select count(*) from message m
          join sending s on s.store_id = m.store_id and s.id = m.sender_id
          where m.status in ('claimed', 'sending') and m.due_at < now() - make_interval(mins => ${STRANDED_MINUTES})
        )::float8 + (
          select count(*) from message where status in ('claimed', 'sending') and due_at is null
        )::float8 as stranded`.execute(db);
    const [part] = rows as [MessageBacklog];
    backlog.waiting += part.waiting;
    backlog.lagSeconds = Math.max(backlog.lagSeconds, part.lagSeconds);
    backlog.resting += part.resting;
    backlog.stranded += part.stranded;
  }, 'message');
  return backlog;
}
