import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import {
  type Candidate,
  candidates,
  idCursor,
  type Page,
  type PageRequest,
  readBefore,
  toPage,
} from '../reading/cursor.ts';
import type { AutomationStatus } from './core/machine/automation.ts';
import { activeByVersion } from './stored/automations.ts';

export interface AutomationSummary {
  id: string;
  name: string;
  status: AutomationStatus;
  /** That of the draft. */
  revision: number;
  /** The number of the latest version; null before the first. */
  version: number | null;
  activeRuns: number;
  /** Whether the store is held, so that they do nothing, live or not. */
  isHeld: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface AutomationWithDraft extends AutomationSummary {
  draft: RawJson;
  /** Whether its definitions take events of public keys where they do not say so. */
  takesClientEvents: boolean;
}

/** The trigger is that of the latest version, or before the first of the draft. */
export type ListedAutomation = AutomationSummary & { trigger: RawJson };

export interface AutomationFilter {
  status?: AutomationStatus | undefined;
  /** Of the events that trigger it. */
  eventType?: string | undefined;
}

type Row<Automation extends AutomationSummary> = Omit<Automation, 'createdAt' | 'updatedAt'> & {
  created: number;
  updated: number;
};

const COLUMNS = sql`
  a.id, a.name, a.status, a.revision, a.version,
  coalesce((select sum(count) from (${activeByVersion(sql`a.store_id`, sql`a.id`)}) as active), 0)::int as "activeRuns",
  exists (select from automation_hold h where h.store_id = a.store_id) as "isHeld",
  (extract(epoch from a.created_at) * 1000)::float8 as created,
  (extract(epoch from a.updated_at) * 1000)::float8 as updated`;

/** Undefined if the store has no such automation. */
export async function findAutomation(db: Sql, storeId: string, id: string): Promise<AutomationWithDraft | undefined> {
  if (!isId(id)) return undefined;
  const { rows } = await sql<Row<AutomationWithDraft>>`
    select ${COLUMNS}, a.draft, a.takes_client_events as "takesClientEvents"
    from automation a where a.store_id = ${storeId} and a.id = ${id}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Returns automations of the store, newest first. */
export async function listAutomations(
  db: Sql,
  storeId: string,
  { status, eventType }: AutomationFilter,
  page: PageRequest,
): Promise<Page<ListedAutomation>> {
  const before = readBefore(page.cursor);
  const inOrder = sql`
    select * from automation
    where store_id = ${storeId} and id < ${before}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${eventType === undefined ? sql`` : sql`and event_type = ${eventType}`}
    order by id desc`;
  const { rows } = await sql<Candidate<Row<ListedAutomation>>>`
    select ${COLUMNS}, a.trigger, a.candidates
    from ${candidates(inOrder, page.limit, sql`octet_length(trigger::text)`)} a
    order by a.id desc`.execute(db);
  const { items, next } = toPage(rows, page.limit, (row) => fromRow<ListedAutomation>(row), idCursor);
  return { items, next };
}

function fromRow<Automation extends AutomationSummary>(row: Row<Automation>): Automation {
  const { created, updated, ...automation } = row;
  return { ...automation, createdAt: new Date(created), updatedAt: new Date(updated) } as unknown as Automation;
}
