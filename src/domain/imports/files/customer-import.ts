import { sql } from 'kysely';
import type { CustomerImportRecord } from '../../../db/entities/customer-import.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Channel } from '../../consent/consent.ts';
import type { Origin } from '../../write/profile-history.ts';
import type { Delimiter, ImportColumn, PlannedColumn } from './columns.ts';

export type ImportState = CustomerImportRecord['state'];

/** What all customers of a file have chosen, and when. */
export interface ImportedConsent {
  choices: { [Name in Channel]?: 'subscribed' | 'unsubscribed' };
  changedAt: Date;
  source: string | null;
}

/** An import of customers from a CSV file, as it is shown. */
export interface CustomerImport {
  id: string;
  name: string | null;
  state: ImportState;
  failure: string | null;
  delimiter: Delimiter | null;
  mapping: ImportColumn[] | null;
  consent: ImportedConsent | null;
  listIds: string[];
  /** Whether the file tells of the past, by which no automation starts. */
  isHistorical: boolean;
  /** Parts of the file, without gaps, from the first. */
  parts: number;
  /** Those of all parts. */
  bytes: number;
  bytesDone: number;
  rows: { read: number; created: number; updated: number; failed: number };
  errorsKept: number;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  /** Null while it is worked at. */
  expiresAt: Date | null;
}

/** What a started import does with the values of a row, which should have `width`. */
export interface Plan {
  columns: PlannedColumn[];
  width: number;
  /** That of the store when it was started, in which numbers without a calling code are dialled. */
  country?: string | null;
  /** Who has started it, where the store keeps a history of its customers. */
  origin?: Origin | undefined;
}

/** As a statement returns it: times are milliseconds of Unix time. */
export interface ImportRow
  extends Pick<
    CustomerImportRecord,
    'id' | 'state' | 'parts' | 'bytes' | 'bytesDone' | 'errorsKept' | 'rowsRead' | 'rowsCreated' | 'rowsUpdated'
  > {
  rowsFailed: number;
  name: string | null;
  failure: string | null;
  delimiter: Delimiter | null;
  mapping: RawJson | null;
  consent: RawJson | null;
  listIds: string[];
  isHistorical: boolean;
  created: number;
  started: number | null;
  ended: number | null;
  expires: number | null;
}

const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/** Columns to select from `customer_import` for an `ImportRow`. */
export const IMPORT_COLUMNS = sql`
  id, name, state, failure, delimiter, mapping, consent, list_ids as "listIds", is_historical as "isHistorical",
  parts, bytes, bytes_done as "bytesDone", rows_read as "rowsRead", rows_created as "rowsCreated",
  rows_updated as "rowsUpdated", rows_failed as "rowsFailed", errors_kept as "errorsKept",
  ${ms('created_at')} as created, ${ms('started_at')} as started, ${ms('ended_at')} as ended,
  ${ms('expires_at')} as expires`;

export function importFromRow(row: ImportRow): CustomerImport {
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    failure: row.failure,
    delimiter: row.delimiter,
    mapping: row.mapping?.parse<ImportColumn[]>() ?? null,
    consent: row.consent && parseConsent(row.consent),
    listIds: row.listIds,
    isHistorical: row.isHistorical,
    parts: row.parts,
    bytes: row.bytes,
    bytesDone: row.bytesDone,
    rows: { read: row.rowsRead, created: row.rowsCreated, updated: row.rowsUpdated, failed: row.rowsFailed },
    errorsKept: row.errorsKept,
    createdAt: new Date(row.created),
    startedAt: toDate(row.started),
    endedAt: toDate(row.ended),
    expiresAt: toDate(row.expires),
  };
}

/** Restores what was stored as JSON. */
export function parseConsent(stored: RawJson): ImportedConsent {
  const { changedAt, ...consent } = stored.parse<Omit<ImportedConsent, 'changedAt'> & { changedAt: string }>();
  return { ...consent, changedAt: new Date(changedAt) };
}

function toDate(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}
