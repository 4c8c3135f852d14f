import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { numberCursor, type Page, type PageRequest, readNumberCursor, toPage } from '../reading/cursor.ts';
import type { Definition, InFlight } from './core/definition/definition.ts';
import { activeByVersion } from './stored/automations.ts';

export interface VersionSummary {
  automationId: string;
  number: number;
  inFlight: InFlight;
  activeRuns: number;
  publishedAt: Date;
  /** The id of the key. */
  publishedBy: string;
}

export type VersionWithDefinition = VersionSummary & { definition: RawJson };

/** As numbers of versions are stored. */
const MAX_NUMBER = 2 ** 31 - 1;

type Row<Version extends VersionSummary> = Omit<Version, 'publishedAt'> & { published: number };

const COLUMNS = sql`
  v.automation_id as "automationId", v.number, v.in_flight as "inFlight",
  coalesce((
    select count from (${activeByVersion(sql`v.store_id`, sql`v.automation_id`)}) as active
    where active.number = v.number::text
  ), 0) as "activeRuns",
  (extract(epoch from v.published_at) * 1000)::float8 as published, v.published_by as "publishedBy"`;

/** Undefined if the automation has no such version, or the store no such automation. */
export async function findVersion(
  db: Sql,
  storeId: string,
  automationId: string,
  number: number,
): Promise<VersionWithDefinition | undefined> {
  if (!isId(automationId) || !isVersionNumber(number)) return undefined;
  const { rows } = await sql<Row<VersionWithDefinition>>`
    select ${COLUMNS}, v.definition from automation_version v
    where v.store_id = ${storeId} and v.automation_id = ${automationId} and v.number = ${number}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Returns the definition of the latest version, and those of the versions that have active runs. */
export async function definitionsInUse(db: Sql, storeId: string, automationId: string): Promise<Definition[]> {
  const { rows } = await sql<{ definition: RawJson }>`
    select v.definition from automation a
    join automation_version v on v.store_id = a.store_id and v.automation_id = a.id
    where a.store_id = ${storeId} and a.id = ${automationId} and v.store_id = ${storeId}
      and (v.number = a.version or exists (
        select from (${activeByVersion(sql`a.store_id`, sql`a.id`)}) as active
        where active.count > 0 and active.number = v.number::text
      ))`.execute(db);
  return rows.map(({ definition }) => definition.parse<Definition>());
}

/** Returns versions, the latest first; undefined if the store has no such automation. */
export async function listVersions(
  db: Sql,
  storeId: string,
  automationId: string,
  page: PageRequest,
): Promise<Page<VersionSummary> | undefined> {
  const below = page.cursor === undefined ? MAX_NUMBER : readNumberCursor(page.cursor);
  const { rows } = await sql<Row<VersionSummary> & { candidates?: never }>`
    select ${COLUMNS} from automation_version v
    where v.store_id = ${storeId} and v.automation_id = ${automationId} and v.number < ${below}
    order by v.number desc
    limit ${page.limit + 1}`.execute(db);
  if (rows.length === 0 && !(await hasAutomation(db, storeId, automationId))) return undefined;
  return toPage(rows, page.limit, fromRow, ({ number }) => numberCursor(number));
}

async function hasAutomation(db: Sql, storeId: string, id: string): Promise<boolean> {
  const { rows } = await sql`select from automation where store_id = ${storeId} and id = ${id}`.execute(db);
  return rows.length > 0;
}

function isVersionNumber(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= MAX_NUMBER;
}

function fromRow<Version extends VersionSummary>(row: Row<Version>): Version {
  const { published, ...version } = row;
  return { ...version, publishedAt: new Date(published) } as unknown as Version;
}
