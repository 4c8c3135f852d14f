import { sql } from 'kysely';
import { integers, texts, uuids } from '../../db/binary-arrays.ts';
import { exactly } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';

/** A request for a link or the image of a message, as it came. */
export interface NewHit {
  id: string;
  storeId: string;
  messageId: string;
  /** When, in milliseconds. */
  at: number;
  kind: 'open' | 'click';
  /** 0 for the link that nobody sees, -1 for an image. */
  link: number;
  url: string | null;
  isMachine: boolean;
}

/** Hits of a message that are kept at a time; they are kept for a day. */
const MOST_OF_MESSAGE = 50;

/** Records hits of one store: of messages that there are, and of each no more than it may have in a day. */
export async function insertHits(db: Sql, storeId: string, hits: readonly NewHit[]): Promise<void> {
  await sql`
    insert into message_hit (store_id, message_id, id, hit_at, kind, link, url, is_machine)
    select ${storeId}::uuid, h.message_id, h.id, h.hit_at::timestamptz, h.kind, nullif(h.link, -1), h.url, h.machine = 1
    from (
      select *, row_number() over (partition by message_id order by id) as nth
      from unnest(
        ${uuids(hits.map(({ messageId }) => messageId))}::uuid[],
        ${uuids(hits.map(({ id }) => id))}::uuid[],
        ${texts(hits.map(({ at }) => new Date(at).toISOString()))}::text[],
        ${texts(hits.map(({ kind }) => kind))}::text[],
        ${integers(hits.map(({ link }) => link))}::int[],
        ${texts(hits.map(({ url }) => url))}::text[],
        ${integers(hits.map(({ isMachine }) => (isMachine ? 1 : 0)))}::int[]
      ) as given (message_id, id, hit_at, kind, link, url, machine)
    ) h
    cross join lateral (
      select id from message where store_id = ${storeId} and id = h.message_id limit 1
    ) m
    cross join lateral (
      select count(*) as kept from (
        select from message_hit where store_id = ${storeId} and ${exactly('message_id', 'h.message_id')}
        order by message_id, id limit ${MOST_OF_MESSAGE}
      ) one
    ) known
    where h.nth + known.kept <= ${MOST_OF_MESSAGE}
    on conflict do nothing`.execute(db);
}
