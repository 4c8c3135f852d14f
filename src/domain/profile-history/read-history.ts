import { sql } from 'kysely';
import { maxJsonbBytes } from '../../db/json-size.ts';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import {
  type Candidate,
  candidates,
  idCursor,
  type Page,
  type PageRequest,
  type Portion,
  readBefore,
  readPortions,
  toPage,
} from '../reading/cursor.ts';
import type { HistoryEntry, IdentifierChanges } from '../write/profile-history.ts';

/** A change of a customer, as it is read. */
export interface KeptChange extends Omit<HistoryEntry, 'profileId' | 'attributes' | 'identifiers'> {
  attributes: RawJson;
  identifiers: IdentifierChanges;
}

type Row = Omit<KeptChange, 'changedAt' | 'origin' | 'identifiers'> &
  KeptChange['origin'] & { changed: number; identifiers: RawJson };

/** The most bytes of a change: large values are left out, but not the names of what has changed. */
const MAX_BYTES = sql`${maxJsonbBytes('attributes')} + ${maxJsonbBytes('identifiers')}`;

/** Returns what is kept of the changes of a profile, the latest first. */
export async function readHistory(
  db: Sql,
  storeId: string,
  profileId: string,
  page: PageRequest,
): Promise<Page<KeptChange>> {
  return await readPortions(
    page,
    (rest) => readPortion(db, storeId, profileId, rest),
    ({ attributes }) => attributes.text.length,
  );
}

async function readPortion(
  db: Sql,
  storeId: string,
  profileId: string,
  page: PageRequest,
): Promise<Portion<KeptChange>> {
  const before = readBefore(page.cursor);
  const inOrder = sql`
    select * from profile_history
    where store_id = ${storeId} and profile_id = ${profileId} and id < ${before}
    order by id desc`;
  const { rows } = await sql<Candidate<Row>>`
    select id, (extract(epoch from changed_at) * 1000)::float8 as changed, surface, operation, actor, created, attributes,
      identifiers, candidates
    from ${candidates(inOrder, page.limit, MAX_BYTES)} h
    order by id desc`.execute(db);
  return toPage(rows, page.limit, toChange, idCursor);
}

function toChange({
  changed,
  surface,
  operation,
  actor,
  identifiers,
  candidates: _,
  ...change
}: Candidate<Row>): KeptChange {
  return {
    ...change,
    changedAt: new Date(changed),
    origin: { surface, operation, actor },
    identifiers: identifiers.parse<IdentifierChanges>(),
  };
}
