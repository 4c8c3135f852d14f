import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { type Page, type PageRequest, readNewest } from '../reading/cursor.ts';
import type { Counts } from '../sweeps/step.ts';
import type { Erasure } from './erasure.ts';

interface ErasureRow extends Omit<Erasure, 'status' | 'counts' | 'residues' | 'createdAt' | 'completedAt'> {
  counts: RawJson;
  residues: RawJson;
  created: number;
  completed: number | null;
  candidates?: never;
}

const COLUMNS = sql`
  id, was_known as "wasKnown", events, suppress_days as "suppressDays", cardinality(digests) as identifiers, counts,
  residues, passes, asked_by as "askedBy", (extract(epoch from created_at) * 1000)::float8 as created,
  (extract(epoch from completed_at) * 1000)::float8 as completed`;

/** Undefined if the store has no such erasure. */
export async function findErasure(db: Sql, storeId: string, id: string): Promise<Erasure | undefined> {
  const { rows } = await sql<ErasureRow>`
    select ${COLUMNS} from erasure where store_id = ${storeId} and id = ${id}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Returns the erasures of the store, the latest first. */
export async function listErasures(db: Sql, storeId: string, page: PageRequest): Promise<Page<Erasure>> {
  return await readNewest(
    db,
    page,
    fromRow,
    (place) => sql<ErasureRow>`
    select ${COLUMNS} from erasure
    where store_id = ${storeId} and ${place}`,
  );
}

function fromRow({ counts, residues, created, completed, ...row }: ErasureRow): Erasure {
  const kept = residues.parse<{ table: string; until: string }[]>();
  return {
    ...row,
    status: completed === null ? 'erasing' : 'complete',
    counts: counts.parse<Counts>(),
    residues: kept.map(({ table, until }) => ({ table, until: new Date(until) })),
    createdAt: new Date(created),
    completedAt: completed === null ? null : new Date(completed),
  };
}
