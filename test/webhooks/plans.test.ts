import { expect } from 'chai';
import { type Database, openDatabase, SETTINGS_OF_ENGINES, type Sql } from '../../src/db/orm.ts';
import { VersionCache } from '../../src/domain/automations/stored/version-cache.ts';
import { openSecrets } from '../../src/domain/secrets/open-secrets.ts';
import type { Secrets } from '../../src/domain/secrets/secrets.ts';
import { measureWebhooks } from '../../src/domain/webhooks/deliveries/backlog.ts';
import { type DeliveryStatus, listDeliveries } from '../../src/domain/webhooks/deliveries/deliveries.ts';
import { replayDeliveries } from '../../src/domain/webhooks/deliveries/replay.ts';
import { claimDeliveries } from '../../src/domain/webhooks/sending/claim.ts';
import { findDueEndpoints } from '../../src/domain/webhooks/sending/find-due.ts';
import { recordSettled } from '../../src/domain/webhooks/sending/record.ts';
import { expectFewBlocksAlways } from '../support/blocks.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { Merchant, RECEIVABLE } from './support/merchant.ts';

/** Deliveries of an endpoint that are due, that wait for their next attempt, and that are done. */
const [DUE, LATER, DONE] = [60_000, 60_000, 60_000];
/** Deliveries that are claimed at once. */
const CLAIMED = 5;
const GENERIC = SETTINGS_OF_ENGINES;

describe('Statements of webhooks, beside very many deliveries that wait', () => {
  let database: TestDatabase;
  /** Sends nothing itself. */
  let service: TestService;
  let merchant: Merchant;
  let endpointId: string;
  let secrets: Secrets;
  const opened: Database[] = [];

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ ...RECEIVABLE, AUTOMATION_CONCURRENCY: '0' }, database);
    merchant = await Merchant.open(service);
    endpointId = (await merchant.endpoint('http://127.0.0.1:9/', { max_per_second: 1000, max_concurrent: 100 })).id;
    for (const name of ['webhook_endpoint', 'webhook_delivery', 'webhook_attempt']) {
      await merchant.query(`alter table ${name} set (autovacuum_enabled = off)`);
    }
    secrets = await openSecrets((await open(GENERIC)).sql, []);
    await merchant.query('analyze');
  });
  after(async () => {
    for (const one of opened) await one.close();
    await service.stop();
  });

  async function open(settings: Parameters<typeof openDatabase>[2]): Promise<Database> {
    const one = await openDatabase(database.url, 1, settings);
    opened.push(one);
    return one;
  }

  const page = { limit: 20, cursor: undefined };
  const filter = { status: undefined, from: undefined, to: undefined };
  const list = (db: Sql, status?: DeliveryStatus) =>
    listDeliveries(db, merchant.storeId, endpointId, { ...filter, status }, page);

  async function sendSome(db: Sql): Promise<void> {
    const claim = await claimDeliveries(db, merchant.storeId, endpointId, CLAIMED, secrets);
    const result = { status: 200, error: null, ms: 1, excerpt: null, restMs: null, isResent: false };
    const settled = (claim?.deliveries ?? []).map((delivery) => ({ delivery, at: Date.now(), result }));
    await recordSettled(db, merchant.storeId, endpointId, settled, new VersionCache());
  }

  const works: Record<string, (db: Sql) => Promise<unknown>> = {
    'find endpoints that something is due for': findDueEndpoints,
    'claim deliveries, and record what came of them': sendSome,
    'list deliveries': (db) => list(db),
    'list deliveries of a status that none has': (db) => list(db, 'held'),
    'replay what was held': (db) => replayDeliveries(db, merchant.storeId, endpointId, { ...filter, status: 'held' }),
  };

  it('touch few rows, with whatever statistics they were planned', async () => {
    await expectFewBlocksAlways(works, {
      open,
      query: (sql) => merchant.query(sql),
      rows: rowsOf(endpointId),
      tables: ['webhook_delivery'],
    });
    const delivered = await merchant.query(
      `select count(*)::int as n from webhook_attempt where store_id = $store and status = 200`,
    );
    expect(delivered[0].n).to.equal(8 * CLAIMED);
  });

  it('count a part of them for the metrics', async () => {
    const { stores } = await open(GENERIC);
    const { waiting, oldestSeconds } = await measureWebhooks(stores);
    expect(waiting).to.equal(100_000);
    expect(oldestSeconds).to.be.within(0, 600);
  });
});

function rowsOf(endpointId: string): string {
  return `
    insert into webhook_delivery
      (store_id, id, endpoint_id, is_awaited, message_type, body, status, due_at, attempt, claim, created_at, finished_at)
    select $store, uuidv7(), '${endpointId}', false, 'test.queued', '{}',
      case when n <= ${DUE + LATER} then 'pending' else 'delivered' end,
      case when n <= ${DUE} then now() - interval '1 minute' when n <= ${DUE + LATER} then now() + interval '1 day' end,
      0, 0, now(), case when n > ${DUE + LATER} then now() end
    from generate_series(1, ${DUE + LATER + DONE}) n`;
}
