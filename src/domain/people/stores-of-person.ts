import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

/** Stores of a person that are looked for. */
const MOST = 20;

/** A person in one of their stores. */
export interface StoreOfPerson {
  storeId: string;
  personId: string;
}

/** Does something once, within what is done `around` it in each of these stores. */
export function inEachStore<Result>(
  stores: readonly StoreOfPerson[],
  around: (own: StoreOfPerson, next: () => Promise<Result>) => Promise<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  return stores.reduce((next, own) => () => around(own, next), work)();
}

/** The stores of a person, or of whoever has an e-mail address, in any case; none if nobody is that. */
export async function storesOf(db: Sql, who: { personId: string } | { email: string }): Promise<StoreOfPerson[]> {
  const isWho = 'personId' in who ? sql`p.id = ${who.personId}` : sql`p.email = ${who.email.trim().toLowerCase()}`;
  const { rows } = await sql<StoreOfPerson>`
    select m.store_id as "storeId", p.id as "personId"
    from person p join membership m on m.person_id = p.id
    where ${isWho} order by m.created_at, m.store_id limit ${MOST}`.execute(db);
  return rows;
}
