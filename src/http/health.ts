import { sql } from 'kysely';
import { settleWithin } from '../concurrency/settle-within.ts';
import { singleFlight } from '../concurrency/single-flight.ts';
import type { BackgroundState } from '../db/background/states.ts';
import type { Database } from '../db/orm.ts';
import type { StoreData } from '../db/store-data.ts';
import { hasGaps } from '../domain/erasures/gap.ts';
import type { Ctx } from './surface.ts';

/** Milliseconds after which a database that does not respond counts as down. */
const DATABASE_PATIENCE_MS = 2_000;
/** Milliseconds for which the result is reused, so that polling the endpoint does not poll the database. */
const DATABASE_KNOWN_MS = 1_000;

/** Whether the database responds; where it has several servers, and some do not, it is `partly down`. */
type DatabaseState = 'ok' | 'partly down' | 'down';

/** Whether erasures are to be done again in a copy that was restored; `unknown` while that can't be found out. */
type ErasureState = 'complete' | 'not done again' | 'unknown';

export interface Health {
  databaseState(): Promise<DatabaseState>;
  erasureState(): Promise<ErasureState>;
  background: { readonly pending: readonly Pick<BackgroundState, 'status'>[] };
  /** On the disk of the embedded database; undefined if another one is used. */
  diskSpace: { readonly isFull: boolean } | undefined;
  /** Undefined if none is configured. `available` is the share of all windows, from 0 to 1. */
  redis: { readonly available: number } | undefined;
  /** Undefined if bulk jobs are left to other processes. */
  bulkJobs: { readonly isAvailable: boolean } | undefined;
  isDraining(): boolean;
}

/** Checks the database on connections that requests do not wait for. */
export function databaseCheck({ sql: db, stores }: Pick<Database, 'sql' | 'stores'>): Health['databaseState'] {
  return singleFlight(DATABASE_KNOWN_MS, async () => {
    if (!(await settleWithin(DATABASE_PATIENCE_MS, sql`select 1`.execute(db)))) return 'down';
    return (await settleWithin(DATABASE_PATIENCE_MS, stores.nodesDown())) === 0 ? 'ok' : 'partly down';
  });
}

/** Looks for stores that were restored without their list of erasures. */
export function erasureCheck(stores: StoreData): Health['erasureState'] {
  return singleFlight(DATABASE_KNOWN_MS, async () => {
    const isMissing = await settleWithin(DATABASE_PATIENCE_MS, hasGaps(stores));
    if (isMissing === undefined) return 'unknown';
    return isMissing ? 'not done again' : 'complete';
  });
}

/** `/health/live`: the process is running. */
export function live(ctx: Ctx): void {
  ctx.body = { status: 'ok' };
}

/**
 * `/health/ready`: 200 if requests can be served, and 503 while draining, without a database, or if its disk is full.
 * Without Redis each process uses its own window, bulk jobs can wait for a worker, and a server that is down concerns the
 * stores on it: none is a reason to take the process out of service. Nor is what is left to do of the schema,
 * or of erasures in a restored copy.
 */
export async function ready(health: Health, ctx: Ctx): Promise<void> {
  const { databaseState, erasureState, background, diskSpace, redis, bulkJobs, isDraining } = health;
  const database = await databaseState();
  const isUp = database !== 'down';
  const isFull = diskSpace?.isFull ?? false;
  const status = isDraining() ? 'draining' : isUp && !isFull ? 'ready' : 'unavailable';
  ctx.status = status === 'ready' ? 200 : 503;
  ctx.body = {
    status,
    database: isUp && isFull ? 'disk full' : database,
    redis: redis ? redisState(redis.available) : 'not configured',
    jobs: bulkJobs ? stateOf(bulkJobs.isAvailable) : 'elsewhere',
    migrations: migrationState(background.pending),
    erasures: isUp ? await erasureState() : 'unknown',
  };
}

/** `failed` if the last attempt at one of those that are left has. */
function migrationState(pending: Health['background']['pending']): 'complete' | 'under way' | 'failed' {
  if (pending.length === 0) return 'complete';
  return pending.some(({ status }) => status === 'failed') ? 'failed' : 'under way';
}

/** `partly down` while some nodes of a cluster are away. */
function redisState(available: number): 'ok' | 'partly down' | 'down' {
  return available > 0 && available < 1 ? 'partly down' : stateOf(available === 1);
}

function stateOf(isUp: boolean): 'ok' | 'down' {
  return isUp ? 'ok' : 'down';
}
