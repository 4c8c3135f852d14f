import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import type { EventsOfErased } from '../erasure.ts';

/** Erasures that are read at once, and digests. */
const PAGE = 500;

/**
 * A line of the list of erasures that is kept beside backups. It holds keyed hashes of identifiers and of ids of
 * customers with the key of the store, and neither of them; ends with how many lines there were, so that one that is cut is not taken for whole.
 */
export type LogLine =
  /** `all_stores` is whether it is that of all stores; a list of a version before does not say so. */
  | { kind: 'begin'; format: 'footfall erasures'; version: 1; at: string; since: string | null; all_stores?: boolean }
  /** The key of a store, in hex, as `suppression_key` has it. */
  | { kind: 'store'; store_id: string; inner_pad: string; outer_pad: string }
  | { kind: 'suppressed'; store_id: string; digest: string; until: string | null }
  | LoggedErasure
  | { kind: 'end'; lines: number };

/** An erasure, as its proof has it. */
export interface LoggedErasure {
  kind: 'erasure';
  store_id: string;
  id: string;
  asked_by: string | null;
  created_at: string;
  /** Null where it was under way. */
  completed_at: string | null;
  events: EventsOfErased;
  suppress_days: number | null;
  was_known: boolean;
  passes: number;
  counts: object;
  residues: object;
  /** Of identifiers, in hex. */
  digests: string[];
  /** Of the id of the profile and of those merged into it, in hex; null or absent where a version before has erased, or written the list. */
  profile_digests?: string[] | null;
}

/** Reads what a store has erased since a time, and whom it does not let come back. */
export async function* logOfStore(db: Sql, storeId: string, since: Date | undefined): AsyncGenerator<LogLine> {
  const { rows: keys } = await sql<{ inner_pad: string; outer_pad: string }>`
    select encode(inner_pad, 'hex') as inner_pad, encode(outer_pad, 'hex') as outer_pad
    from suppression_key where store_id = ${storeId}`.execute(db);
  const [key] = keys;
  // It is drawn for the first erasure.
  if (!key) return;
  yield { kind: 'store', store_id: storeId, ...key };
  for (let after = LOWEST_ID; ; ) {
    const { rows } = await sql<{ line: RawJson; id: string }>`
      select id, json_build_object('kind', 'erasure', 'store_id', store_id, 'id', id, 'asked_by', asked_by,
        'created_at', created_at, 'completed_at', completed_at, 'events', events, 'suppress_days', suppress_days,
        'was_known', was_known, 'passes', passes, 'counts', counts, 'residues', residues,
        'digests', array(select encode(digest, 'hex') from unnest(digests) as d (digest)),
        'profile_digests', case when profile_digests is not null
          then array(select encode(digest, 'hex') from unnest(profile_digests) as d (digest)) end) as line
      from erasure
      where store_id = ${storeId} and id > ${after} and created_at >= ${since ?? new Date(0)}
      order by id limit ${PAGE}`.execute(db);
    for (const { line } of rows) yield line.parse<LoggedErasure>();
    if (rows.length < PAGE) break;
    after = (rows.at(-1) as { id: string }).id;
  }
  yield* suppressedOf(db, storeId);
}

async function* suppressedOf(db: Sql, storeId: string): AsyncGenerator<LogLine> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ digest: string; until: string | null }>`
      select encode(digest, 'hex') as digest, until::text as until from suppressed_identifier
      where store_id = ${storeId} and digest > decode(${after}, 'hex') and (until is null or until > now())
      order by digest limit ${PAGE}`.execute(db);
    for (const row of rows) yield { kind: 'suppressed', store_id: storeId, ...row };
    if (rows.length < PAGE) return;
    after = (rows.at(-1) as { digest: string }).digest;
  }
}
