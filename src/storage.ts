import { AutomationEngine, type AutomationEngineOptions } from './automations/engine.ts';
import { repeatEvery } from './concurrency/repeat-every.ts';
import type { Config } from './config.ts';
import { BackgroundMigrations } from './db/background/background-migrations.ts';
import { type Address, migrate, type OrmDatabase, openDatabase, openOrm, SETTINGS_OF_ENGINES } from './db/orm.ts';
import { maintainPartitions } from './db/partition-maintenance.ts';
import { UnreadHold } from './domain/automations/hold.ts';
import { deleteOldOfAutomations } from './domain/automations/retention/delete-old.ts';
import { sumUpAutomationCounts } from './domain/automations/retention/sum-up-counts.ts';
import { KEPT_MS } from './domain/change-feed/change-feed.ts';
import { deleteOldAdditions } from './domain/change-feed/delete-old-additions.ts';
import { sumUpCounts } from './domain/event-counts.ts';
import { checkIdentifiers } from './domain/identifier-splits/check-identifiers.ts';
import { deleteOldAnswers } from './domain/kept-answers.ts';
import { deleteMembersOfDeleted } from './domain/lists/delete-members.ts';
import { deleteSuperseded } from './domain/profile-updates/delete-superseded.ts';
import { deleteOldChanges } from './domain/segments/delete-old.ts';
import type { SegmentWork } from './domain/segments/engine/work.ts';
import { deleteOldDeliveries } from './domain/sending/delete-old.ts';
import type { Observe } from './domain/sending/observed.ts';
import { ensureStore } from './domain/stores.ts';
import type { BatchObserver } from './domain/write/batch-observer.ts';
import { hasEmbedded, isEmbedded, openEmbedded } from './embedded-postgres/embedded-postgres.ts';
import { type JobWorker, startJobWorker } from './jobs/worker.ts';
import { DiskSpace } from './process/disk-space.ts';
import type { Log } from './process/log.ts';
import { logFailuresOnce } from './process/log-failures-once.ts';
import type { Telling } from './process/progress.mjs';
import { SegmentEngine } from './segments/engine.ts';
import { WebhookSender } from './webhooks/sender.ts';

export const DEFAULT_STORE = 'default';

const SUM_UP_MS = 1_000;
const FORGET_MS = 60_000;
/** Milliseconds for which each round deletes what automations and webhooks no longer need. */
const DELETE_FOR_MS = 5_000;
/** Milliseconds between two rounds that delete superseded changes of profiles, and for which each does so in one part of the data. */
const [DELETE_UPDATES_MS, DELETE_UPDATES_FOR_MS] = [10_000, 2_000];
/** Milliseconds between two rounds that delete members of deleted lists, and for which each does so in one part of the data. */
const [DELETE_MEMBERS_MS, DELETE_MEMBERS_FOR_MS] = [5_000, 1_000];
/** Milliseconds between two looks for stores whose identifiers are to be looked at, and for which each looks at them. */
const [CHECK_IDENTIFIERS_MS, CHECK_IDENTIFIERS_FOR_MS] = [2_000, 500];
const SPACE_MS = 5_000;
const HOLD_MS = 1_000;
const BOUND_LOG_MS = 60_000;
/** Milliseconds between two looks for stores whose segments are to be compared. */
const COMPARE_MS = 60_000;
/** Milliseconds between two looks for what automations have to do. */
const AUTOMATION_TICK_MS = 250;
const MAINTENANCE_MS = 6 * 60 * 60 * 1000;
/** Milliseconds between two looks for what is left to do of the schema. */
const BACKGROUND_MS = 1_000;

export interface Storage {
  address: Address;
  /** On the disk of the embedded database; undefined if another one is used. */
  diskSpace: DiskSpace | undefined;
  database: OrmDatabase;
  background: BackgroundMigrations;
  unreadHold: UnreadHold;
}

/**
 * Opens and migrates the configured database, or starts the embedded one if none is configured. `telling` is told of what a
 * first start has to do.
 */
export async function openStorage(
  config: Config,
  log: Log,
  resources: AsyncDisposableStack,
  poolSize: number = config.databasePoolSize,
  telling?: Telling,
): Promise<Storage> {
  const databaseUrl = config.databaseUrl ?? (await openPostgres(config, resources, log, telling));
  const address = await migrate(databaseUrl, { telling });
  const database = await openOrm(address, poolSize);
  resources.defer(() => database.close());
  await ensureStore(database, DEFAULT_STORE);
  const unreadHold = new UnreadHold(database.stores);
  const hold = logFailuresOnce(
    log,
    'stores of a server not checked: nothing of their automations goes on',
    async () => {
      const held = await unreadHold.checkServers();
      if (held > 0)
        log.warn({ stores: held }, 'automations held: they were restored, and nobody has released them yet');
    },
  );
  await hold();
  resources.defer(repeatEvery(HOLD_MS, hold));
  if (database.pooler) {
    log.info({ prepared_statements: database.pooler.preparesStatements }, 'DATABASE_URL names a pooler');
  }

  const background = await BackgroundMigrations.open(database.sql, address, log);
  const goOn = logFailuresOnce(log, 'migrations in the background not looked for', () => background.tick());
  const stopGoingOn = repeatEvery(BACKGROUND_MS, goOn);
  resources.defer(() => {
    background.stop();
    return stopGoingOn();
  });
  const maintain = () =>
    maintainPartitions(address, config.eventRetentionDays).then(
      (dropped) => dropped.length > 0 && log.info({ dropped }, 'expired events dropped'),
      (err) => log.error({ err }, 'partitions not maintained'),
    );
  resources.defer(repeatEvery(MAINTENANCE_MS, maintain));
  const sumUp = logFailuresOnce(log, 'event counts not summed up', () =>
    database.stores.each(sumUpCounts, 'event_count_new'),
  );
  resources.defer(repeatEvery(SUM_UP_MS, sumUp));
  const sumUpAutomations = logFailuresOnce(log, 'counts of automations not summed up', () =>
    database.stores.each(sumUpAutomationCounts, 'automation_count_new'),
  );
  resources.defer(repeatEvery(SUM_UP_MS, sumUpAutomations));
  const forget = logFailuresOnce(log, 'old additions not deleted', () =>
    database.stores.each((db) => deleteOldAdditions(db, KEPT_MS)),
  );
  resources.defer(repeatEvery(FORGET_MS, forget));
  const forgetUpdates = logFailuresOnce(log, 'superseded changes of profiles not deleted', () =>
    database.stores.each((db) => deleteSuperseded(db, performance.now() + DELETE_UPDATES_FOR_MS), 'profile_update'),
  );
  resources.defer(repeatEvery(DELETE_UPDATES_MS, forgetUpdates));
  const forgetAnswers = logFailuresOnce(log, 'old answers to requests with a key not deleted', () =>
    database.stores.each(deleteOldAnswers, 'kept_answer'),
  );
  resources.defer(repeatEvery(FORGET_MS, forgetAnswers));
  const forgetRuns = logFailuresOnce(log, 'old runs of automations not deleted', () => {
    const until = performance.now() + DELETE_FOR_MS;
    return database.stores.each((db) => deleteOldOfAutomations(db, config.automationRetentionDays, until));
  });
  resources.defer(repeatEvery(FORGET_MS, forgetRuns));
  // Each part of the data has its time, so that no store waits for those in another one.
  const emptyLists = logFailuresOnce(log, 'members of deleted lists not deleted', () =>
    database.stores.each(
      (db) => deleteMembersOfDeleted(db, performance.now() + DELETE_MEMBERS_FOR_MS),
      'list_deletion',
    ),
  );
  resources.defer(repeatEvery(DELETE_MEMBERS_MS, emptyLists));
  const checkAllIdentifiers = logFailuresOnce(log, 'identifiers not looked at', () =>
    checkIdentifiers(database.stores, performance.now() + CHECK_IDENTIFIERS_FOR_MS, ({ storeId, splits }) => {
      if (splits > 0)
        log.warn(
          { store_id: storeId, splits },
          'addresses or numbers have several profiles: see /v1/identifier-splits',
        );
    }),
  );
  resources.defer(repeatEvery(CHECK_IDENTIFIERS_MS, checkAllIdentifiers));
  if (config.eventRetentionDays > 0) await maintain();
  const diskSpace = isEmbedded(databaseUrl, config.dataDir) ? new DiskSpace(config.dataDir) : undefined;
  const lookForSpace = async () => {
    if (diskSpace?.isFull) throw new Error(`${diskSpace.freeBytes} bytes are free on the disk of DATA_DIR`);
  };
  resources.defer(repeatEvery(SPACE_MS, logFailuresOnce(log, 'the disk of the database is full', lookForSpace)));
  return { address, diskSpace, database, background, unreadHold };
}

/** Runs a command's work on the configured database; starts an embedded one for it if necessary. */
export async function withPostgres<T>(config: Config, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  await using resources = new AsyncDisposableStack();
  return await work(config.databaseUrl ?? (await openPostgres(config, resources)));
}

/** Starts processing bulk jobs in this process; undefined if the configured concurrency is 0. */
export async function openWorker(
  config: Config,
  storage: Storage,
  log: Log,
  resources: AsyncDisposableStack,
  observe: BatchObserver = () => {},
): Promise<JobWorker | undefined> {
  const { address, database } = storage;
  const concurrency = config.workerConcurrency;
  if (concurrency === 0) return undefined;
  const worker = await startJobWorker({ address, database, concurrency, log, observe });
  resources.defer(() => worker.stop());
  return worker;
}

/** Starts working on automations in this process, unless the configured concurrency is 0. */
export async function openAutomations(
  { automationConcurrency: concurrency }: Config,
  { address, unreadHold: { isChecked } }: Storage,
  log: Log,
  resources: AsyncDisposableStack,
  onLost: AutomationEngineOptions['onLost'] = () => {},
): Promise<void> {
  if (concurrency === 0) return;
  const database = await openDatabase(address, 1, SETTINGS_OF_ENGINES);
  resources.defer(() => database.close());
  const { stores } = database;
  const engine = new AutomationEngine({ setup: { address, concurrency }, stores, isChecked, log, onLost });
  resources.defer(() => engine.stop());
  resources.defer(
    repeatEvery(
      AUTOMATION_TICK_MS,
      logFailuresOnce(log, 'servers of automations not known', () => engine.tick()),
    ),
  );
}

/** Starts keeping segments up to date in this process, unless it leaves automations to others. */
export async function openSegments(
  { automationConcurrency: concurrency }: Config,
  { address }: Storage,
  log: Log,
  resources: AsyncDisposableStack,
  onWork: (work: SegmentWork) => void = () => {},
): Promise<void> {
  if (concurrency === 0) return;
  const database = await openDatabase(address, 1);
  resources.defer(() => database.close());
  const engine = new SegmentEngine({ setup: { address, concurrency }, stores: database.stores, log, onWork });
  resources.defer(() => engine.stop());
  const compare = logFailuresOnce(log, 'segments not compared', () => engine.compare());
  resources.defer(repeatEvery(COMPARE_MS, compare));
  const tick = logFailuresOnce(log, 'servers of segments not known', () => engine.tick());
  resources.defer(repeatEvery(AUTOMATION_TICK_MS, tick));
  const deleteOld = logFailuresOnce(log, 'old changes of segments not deleted', () => {
    const until = performance.now() + DELETE_FOR_MS;
    return database.stores.each((db) => deleteOldChanges(db, until), 'segment_store');
  });
  resources.defer(repeatEvery(FORGET_MS, deleteOld));
}

/** Starts sending webhooks in this process, unless it leaves automations to others. */
export async function openSender(
  { automationConcurrency, webhookAllowedNetworks: allowedNetworks, webhookAllowHttp: allowHttp }: Config,
  { address, unreadHold: { isChecked } }: Storage,
  log: Log,
  resources: AsyncDisposableStack,
  observe: Observe = () => {},
): Promise<void> {
  if (automationConcurrency === 0) return;
  const database = await openDatabase(address, 1, SETTINGS_OF_ENGINES);
  resources.defer(() => database.close());
  const { stores } = database;
  const setup = { address, allowedNetworks, allowHttp };
  const sender = new WebhookSender({ setup, stores, isChecked, log, observe });
  resources.defer(() => sender.stop());
  const tick = logFailuresOnce(log, 'servers of webhooks not known', () => sender.tick());
  resources.defer(repeatEvery(AUTOMATION_TICK_MS, tick));
  const deleteOld = logFailuresOnce(log, 'old webhook deliveries not deleted', () => {
    const until = performance.now() + DELETE_FOR_MS;
    return stores.each((db) => deleteOldDeliveries(db, until), 'webhook_delivery');
  });
  resources.defer(repeatEvery(FORGET_MS, deleteOld));
}

/** Restarts it whenever it exits if a log is given. */
async function openPostgres(
  { dataDir }: Config,
  resources: AsyncDisposableStack,
  log?: Log,
  telling?: Telling,
): Promise<string> {
  const open = () => openEmbedded(dataDir);
  const postgres = await (telling && !hasEmbedded(dataDir) ? telling('Creating the database', open) : open());
  resources.defer(() => postgres.release());
  if (!log) return postgres.url;
  resources.defer(postgres.keepRunning(log));
  resources.defer(
    repeatEvery(
      BOUND_LOG_MS,
      logFailuresOnce(log, 'the log of the embedded Postgres is not bounded', () => postgres.rotateLog()),
    ),
  );
  return postgres.url;
}
