import { sql } from 'kysely';
import type { Sql } from '../db/orm.ts';
import type { RedisWindow } from '../limits/redis-window.ts';
import type { Ctx } from './surface.ts';

/** Milliseconds after which a database that does not answer counts as down. */
const DATABASE_PATIENCE_MS = 2_000;

export interface Health {
  sql: Sql;
  redis: RedisWindow | undefined;
  isDraining(): boolean;
}

/** `/health/live`: the process runs. */
export function live(ctx: Ctx): void {
  ctx.body = { status: 'ok' };
}

/** `/health/ready`: 200 where requests can be served; 503 while draining or without a database. */
export async function ready(health: Health, ctx: Ctx): Promise<void> {
  const database = (await answers(health.sql)) ? 'ok' : 'down';
  // Without Redis the service goes on, with a window for each process: not a reason to take it out.
  const redis = health.redis === undefined ? 'not configured' : health.redis.available ? 'ok' : 'down';
  const status = health.isDraining() ? 'draining' : database === 'ok' ? 'ready' : 'unavailable';
  ctx.status = status === 'ready' ? 200 : 503;
  ctx.body = { status, database, redis };
}

async function answers(db: Sql): Promise<boolean> {
  const timeout = new Promise<false>((done) => setTimeout(done, DATABASE_PATIENCE_MS, false).unref());
  const query = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  return Promise.race([query, timeout]);
}
