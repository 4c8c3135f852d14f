import { sql } from 'kysely';
import type { ListMemberRecord } from '../../db/entities/list-member.ts';
import type { Sql } from '../../db/orm.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../reading/cursor.ts';
import type { List } from './lists.ts';

/** When and how a customer has joined a list. */
export type Membership = Pick<ListMemberRecord, 'joinedAt' | 'how' | 'source'>;

export interface Member extends Membership {
  profileId: string;
}

export interface ListOfProfile extends Membership, Pick<List, 'id' | 'name'> {}

type Row<Of> = Omit<Of, 'joinedAt'> & { joined: number; candidates?: never };

/** Returns members of a list, by the ids of their profiles, the latest first. */
export async function readMembers(db: Sql, storeId: string, listId: string, page: PageRequest): Promise<Page<Member>> {
  const before = readBefore(page.cursor);
  const { rows } = await sql<Row<Member>>`
    select profile_id as "profileId", how, source, (extract(epoch from joined_at) * 1000)::float8 as joined
    from list_member
    where store_id = ${storeId} and list_id = ${listId} and profile_id < ${before}
    order by profile_id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, fromRow, ({ profileId: id }) => idCursor({ id }));
}

/** Undefined if the profile is not in the list. */
export async function findMember(
  db: Sql,
  storeId: string,
  listId: string,
  profileId: string,
): Promise<Member | undefined> {
  const { rows } = await sql<Row<Member>>`
    select profile_id as "profileId", how, source, (extract(epoch from joined_at) * 1000)::float8 as joined
    from list_member
    where store_id = ${storeId} and list_id = ${listId} and profile_id = ${profileId}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Returns the lists that a profile is in, newest first: each of the few lists of a store is looked at. */
export async function readListsOf(
  db: Sql,
  storeId: string,
  profileId: string,
  page: PageRequest,
): Promise<Page<ListOfProfile>> {
  const before = readBefore(page.cursor);
  const { rows } = await sql<Row<ListOfProfile>>`
    select l.id, l.name, m.how, m.source, (extract(epoch from m.joined_at) * 1000)::float8 as joined
    from list l
    cross join lateral (
      select how, source, joined_at from list_member
      where store_id = ${storeId} and list_id = l.id and profile_id = ${profileId}
      limit 1
    ) m
    where l.store_id = ${storeId} and l.id < ${before}
    order by l.id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, fromRow, idCursor);
}

function fromRow<Of>({ joined, candidates: _, ...rest }: Row<Of>): Omit<Of, 'joinedAt'> & { joinedAt: Date } {
  return { ...(rest as unknown as Omit<Of, 'joinedAt'>), joinedAt: new Date(joined) };
}
