import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

/** Languages that a customer may choose from; a store that has more translations shows the first of them. */
const MOST = 50;

/** Returns the languages that the published messages of a store are in, in order. */
export async function languagesOfMessages(db: Sql, storeId: string): Promise<string[]> {
  const { rows } = await sql<{ locale: string }>`
    select distinct unnest(v.locales) as locale
    from template t
    join template_version v on v.store_id = ${storeId} and v.template_id = t.id and v.number = t.version
    where t.store_id = ${storeId} and t.use = 'message' and t.status = 'published'
    order by 1
    limit ${MOST}`.execute(db);
  return rows.map(({ locale }) => locale);
}
