import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

/** Stores of a person that are looked for. */
const MOST = 20;

/** The stores of whoever has an e-mail address, in any case; none if nobody has it. */
export async function storesOfAddress(db: Sql, email: string): Promise<{ storeId: string; personId: string }[]> {
  const { rows } = await sql<{ storeId: string; personId: string }>`
    select m.store_id as "storeId", p.id as "personId"
    from person p join membership m on m.person_id = p.id
    where p.email = ${email.trim().toLowerCase()} order by m.created_at, m.store_id limit ${MOST}`.execute(db);
  return rows;
}
