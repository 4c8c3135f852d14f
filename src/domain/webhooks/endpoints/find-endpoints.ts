import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../../reading/cursor.ts';
import { sealedHeadersOf } from './secret-headers.ts';
import { stillSigning } from './signing.ts';

export type EndpointStatus = 'active' | 'resting' | 'disabled' | 'deleted';
export type DisabledReason = 'gone' | 'failing' | 'requested' | 'secret_lost';

/** An endpoint as it is shown: without its secrets. */
export interface Endpoint {
  id: string;
  url: string;
  name: string;
  /** The names of its secret headers. */
  secretHeaders: string[];
  maxPerSecond: number;
  maxConcurrent: number;
  status: EndpointStatus;
  disabledReason: DisabledReason | null;
  /** Failed attempts since the last that succeeded. */
  failures: number;
  failingSince: Date | null;
  restingUntil: Date | null;
  disabledAt: Date | null;
  /** Deliveries that wait; counted up to `MAX_COUNTED`. */
  queued: number;
  oldestQueuedAt: Date | null;
  /** Until when secrets sign that a rotation has replaced. */
  previousSecretsUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

/** Deliveries of an endpoint that are counted. */
const MAX_COUNTED = 10_000;

interface EndpointRow {
  id: string;
  url: string;
  name: string;
  maxPerSecond: number;
  maxConcurrent: number;
  disabledReason: DisabledReason | null;
  failures: number;
  previousSecrets: RawJson;
  secretHeaders: RawJson;
  isResting: boolean;
  failing: number | null;
  resting: number | null;
  disabled: number | null;
  queued: number;
  oldest: number | null;
  created: number;
  updated: number;
  deleted: number | null;
}

const ms = (column: string) => sql`(extract(epoch from ${sql.raw(column)}) * 1000)::float8`;

const COLUMNS = sql`
  e.id, e.url, e.name, e.max_per_second as "maxPerSecond", e.max_concurrent as "maxConcurrent",
  e.disabled_reason as "disabledReason", e.failures, e.previous_secrets as "previousSecrets",
  e.secret_headers as "secretHeaders",
  coalesce(e.resting_until > now(), false) as "isResting",
  ${ms('e.failing_since')} as failing, ${ms('e.resting_until')} as resting, ${ms('e.disabled_at')} as disabled,
  (
    select count(*)::int from (
      select from webhook_delivery d
      where d.store_id = e.store_id and d.endpoint_id = e.id and d.due_at is not null
      limit ${MAX_COUNTED}
    ) as queued
  ) as queued,
  (
    select ${ms('d.created_at')} from webhook_delivery d
    where d.store_id = e.store_id and d.endpoint_id = e.id and d.status = 'pending'
    order by d.id limit 1
  ) as oldest,
  ${ms('e.created_at')} as created, ${ms('e.updated_at')} as updated, ${ms('e.deleted_at')} as deleted`;

/** Undefined if the store has no such endpoint. */
export async function findEndpoint(db: Sql, storeId: string, id: string): Promise<Endpoint | undefined> {
  const { rows } = await sql<EndpointRow>`
    select ${COLUMNS} from webhook_endpoint e where e.store_id = ${storeId} and e.id = ${id}`.execute(db);
  return rows[0] && fromRow(rows[0]);
}

/** Returns the endpoints of the store, newest first; with `isDeleted`, only those that are, or are not. */
export async function listEndpoints(
  db: Sql,
  storeId: string,
  { isDeleted }: { isDeleted: boolean | undefined },
  page: PageRequest,
): Promise<Page<Endpoint>> {
  const before = readBefore(page.cursor);
  const { rows } = await sql<EndpointRow & { candidates?: never }>`
    select ${COLUMNS} from webhook_endpoint e
    where e.store_id = ${storeId} and e.id < ${before}
      ${isDeleted === undefined ? sql`` : sql`and (e.deleted_at is not null) = ${isDeleted}`}
    order by e.id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, fromRow, idCursor);
}

function fromRow(row: EndpointRow): Endpoint {
  const untils = stillSigning(row.previousSecrets, Date.now()).map(({ until }) => until);
  return {
    id: row.id,
    url: row.url,
    name: row.name,
    secretHeaders: sealedHeadersOf(row.secretHeaders).map(({ name }) => name),
    maxPerSecond: row.maxPerSecond,
    maxConcurrent: row.maxConcurrent,
    status: statusOf(row),
    disabledReason: row.disabledReason,
    failures: row.failures,
    failingSince: toDate(row.failing),
    restingUntil: row.isResting ? toDate(row.resting) : null,
    disabledAt: toDate(row.disabled),
    queued: row.queued,
    oldestQueuedAt: toDate(row.oldest),
    previousSecretsUntil: untils.length > 0 ? new Date(Math.max(...untils)) : null,
    createdAt: new Date(row.created),
    updatedAt: new Date(row.updated),
    deletedAt: toDate(row.deleted),
  };
}

function statusOf({ deleted, disabled, isResting }: EndpointRow): EndpointStatus {
  if (deleted !== null) return 'deleted';
  if (disabled !== null) return 'disabled';
  return isResting ? 'resting' : 'active';
}

function toDate(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}
