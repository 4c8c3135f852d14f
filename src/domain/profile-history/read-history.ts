import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { HIGHEST_ID } from '../../ids/uuid-v7.ts';
import { idCursor, type Page, type PageRequest, readIdCursor, toPage } from '../reading/cursor.ts';
import type { HistoryEntry, IdentifierChanges } from '../write/profile-history.ts';

/** A change of a customer, as it is read. */
export interface KeptChange extends Omit<HistoryEntry, 'profileId' | 'attributes' | 'identifiers'> {
  attributes: RawJson;
  identifiers: IdentifierChanges;
}

type Row = Omit<KeptChange, 'changedAt' | 'origin' | 'identifiers'> &
  KeptChange['origin'] & { changed: number; identifiers: RawJson; candidates?: never };

/** Returns what is kept of the changes of a profile, the latest first. */
export async function readHistory(
  db: Sql,
  storeId: string,
  profileId: string,
  page: PageRequest,
): Promise<Page<KeptChange>> {
  const before = page.cursor === undefined ? HIGHEST_ID : readIdCursor(page.cursor);
  const { rows } = await sql<Row>`
    select id, (extract(epoch from changed_at) * 1000)::float8 as changed, surface, operation, actor, created, attributes,
      identifiers
    from profile_history
    where store_id = ${storeId} and profile_id = ${profileId} and id < ${before}
    order by id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, toChange, idCursor);
}

function toChange({ changed, surface, operation, actor, identifiers, ...change }: Row): KeptChange {
  return {
    ...change,
    changedAt: new Date(changed),
    origin: { surface, operation, actor },
    identifiers: identifiers.parse<IdentifierChanges>(),
  };
}
