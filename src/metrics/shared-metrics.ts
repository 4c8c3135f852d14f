import { sql } from 'kysely';
import { Gauge, Registry } from 'prom-client';
import { settleWithin } from '../concurrency/settle-within.ts';
import { readBackgroundStates } from '../db/background/states.ts';
import type { Database } from '../db/orm.ts';
import type { DataServer, StoreData } from '../db/store-data.ts';
import { measureAutomations } from '../domain/automations/backlog.ts';
import { countTroubledFeeds } from '../domain/catalog/feeds/count-troubled.ts';
import { countLowPools } from '../domain/coupons/pools/count-low.ts';
import { countSplits } from '../domain/identifier-splits/list-splits.ts';
import { measureBacklog } from '../domain/imports/bulk/jobs.ts';
import { measureMessages } from '../domain/messages/backlog.ts';
import { measureOrders } from '../domain/orders/backlog.ts';
import { measureSegments } from '../domain/segments/backlog.ts';
import { measureWebhooks } from '../domain/webhooks/deliveries/backlog.ts';

/** Milliseconds after which a database that does not respond counts as down. */
const PATIENCE_MS = 2_000;

/**
 * Returns metrics that are the same in every process: the database, its bulk jobs, automations, webhooks, messages and segments. Of
 * a cluster's nodes, those that do not answer are left out of them.
 */
export async function databaseMetrics({ sql: db, stores }: Pick<Database, 'sql' | 'stores'>): Promise<Registry> {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number) =>
    new Gauge({ name, help, registers: [registry] }).set(value);

  const servers = (await settleWithin(PATIENCE_MS, stores.servers())) ?? [];
  const answering = onThoseThatAnswer(servers);
  const [isUp, nodesDown, migrations, backlog, automations, webhooks, messages, segments, splits, low, feeds, orders] =
    await Promise.all([
      settleWithin(PATIENCE_MS, sql`select 1`.execute(db)),
      settleWithin(PATIENCE_MS, stores.nodesDown()),
      settleWithin(PATIENCE_MS, readBackgroundStates(db)),
      measureBacklog(answering).catch(() => undefined),
      measureAutomations(answering).catch(() => undefined),
      measureWebhooks(answering).catch(() => undefined),
      measureMessages(answering).catch(() => undefined),
      measureSegments(answering).catch(() => undefined),
      countSplits(answering).catch(() => undefined),
      countLowPools(answering).catch(() => undefined),
      countTroubledFeeds(answering).catch(() => undefined),
      measureOrders(answering).catch(() => undefined),
    ]);
  gauge('footfall_database_up', '1 where the database answers, or a part of its cluster', isUp && backlog ? 1 : 0);
  if (isUp && nodesDown !== undefined) {
    gauge('footfall_database_nodes_down', 'Nodes of a cluster that do not answer', nodesDown);
  }
  if (migrations) {
    const help = 'Migrations in the background that are not complete';
    gauge('footfall_migrations_pending', help, migrations.filter(({ status }) => status !== 'complete').length);
  }
  if (backlog) {
    gauge('footfall_import_jobs_waiting', 'Bulk jobs that are not complete', backlog.jobs);
    gauge('footfall_import_items_waiting', 'Their items that are still to be recorded', backlog.items);
    gauge('footfall_import_lag_seconds', 'Age of the oldest bulk job that is not complete', backlog.oldestSeconds);
  }
  if (automations) {
    const { readerLag, dueLag, activeRuns } = automations;
    gauge('footfall_automation_reader_lag_seconds', 'Age of the oldest change that no automation has read', readerLag);
    gauge('footfall_automation_due_lag_seconds', 'How late the run is that has been due longest', dueLag);
    gauge('footfall_automation_runs_active', 'Runs that are under way', activeRuns);
  }
  if (webhooks) {
    const { waiting, oldestSeconds, disabledEndpoints } = webhooks;
    gauge('footfall_webhook_deliveries_waiting', 'Webhook deliveries that wait, counted up to 100,000', waiting);
    gauge('footfall_webhook_oldest_seconds', 'Age of the oldest of them', oldestSeconds);
    const help = 'Webhook endpoints that are disabled as they only failed, or are gone';
    gauge('footfall_webhook_endpoints_disabled', help, disabledEndpoints);
  }
  if (messages) {
    const { waiting, lagSeconds, resting, stranded } = messages;
    gauge('footfall_messages_waiting', 'Messages that wait or are being sent, counted up to 100,000', waiting);
    gauge('footfall_message_lag_seconds', 'How long the message that may be sent has been due longest', lagSeconds);
    gauge('footfall_senders_resting', 'Senders that rest, as they did nothing but fail', resting);
    gauge('footfall_messages_stranded', 'Messages that were taken, and that nobody goes on with', stranded);
  }
  if (segments) {
    const { readerLag, dueLag } = segments;
    const byState = { name: 'footfall_segments', help: 'Segments by their state', labelNames: ['state'] };
    const states = new Gauge({ ...byState, registers: [registry] });
    for (const state of ['live', 'building', 'failed'] as const) states.set({ state }, segments[state]);
    gauge('footfall_segment_reader_lag_seconds', 'Age of the oldest change that segments have not followed', readerLag);
    gauge('footfall_segment_due_lag_seconds', 'How late the customer is who has been due longest', dueLag);
  }
  if (splits !== undefined) {
    gauge('footfall_identifier_splits', 'Addresses and numbers that several profiles have, in other spellings', splits);
  }
  if (low !== undefined)
    gauge('footfall_coupon_pools_low', 'Coupon pools with fewer free codes than they should have', low);
  if (feeds) {
    gauge('footfall_catalog_feeds_failing', 'Catalog feeds that have failed five times in a row', feeds.failing);
    const help = 'Catalog feeds that wait for somebody to confirm that they hide much';
    gauge('footfall_catalog_feeds_waiting', help, feeds.waiting);
  }
  if (orders !== undefined)
    gauge('footfall_orders_lag_seconds', 'Age of the oldest change that was not read for orders', orders);
  return registry;
}

/** Does some work on all servers at the same time, and fails only where none has done it in time. */
function onThoseThatAnswer(servers: readonly DataServer[]): Pick<StoreData, 'each'> {
  return {
    async each(work, rows) {
      const answers = servers.map((server) =>
        settleWithin(
          PATIENCE_MS,
          server.each(work, rows).then(() => true),
        ),
      );
      if (!(await Promise.all(answers)).includes(true)) throw new Error('The database does not answer');
    },
  };
}
