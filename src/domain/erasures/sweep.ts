import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import type { Sweep } from '../sweeps/sweep.ts';
import type { Erasing, EventsOfErased, Subject } from './erasure.ts';
import { RULES, STEPS } from './rules.ts';

interface Row {
  events: EventsOfErased;
  subject: RawJson;
}

/** What is left of customers who are erased, under each id that they have had. */
export const ERASED: Sweep<Erasing, Row> = {
  table: 'erasure',
  columns: sql`events, subject`,
  steps: STEPS,
  async subjects(_tx, storeId, { events, subject }) {
    const { profileId, formerIds = [], identifiers } = subject.parse<Subject>();
    return [profileId, ...formerIds].map((id) => ({ storeId, profileId: id, identifiers, events }));
  },
  async completed(tx, storeId) {
    const residues = JSON.stringify(await readResidues(tx, storeId));
    return sql`subject = null, due_at = null, residues = ${residues}::json`;
  },
};

/** What may hold something of the customer, and expires. */
async function readResidues(tx: Sql, storeId: string): Promise<{ table: string; until: string }[]> {
  const residues = [];
  for (const [table, rule] of Object.entries(RULES)) {
    if (!('expires' in rule)) continue;
    const { rows } = await sql<{ until: number | null }>`
      select (extract(epoch from ${rule.expires(storeId)}) * 1000)::float8 as until`.execute(tx);
    const until = rows[0]?.until ?? null;
    if (until !== null) residues.push({ table, until: new Date(until).toISOString() });
  }
  return residues;
}
