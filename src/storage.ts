import { DisposableGroup } from './concurrency/disposable-group.ts';
import { type Config, linkBaseOf } from './config.ts';
import { BackgroundMigrations } from './db/background/background-migrations.ts';
import { migrate } from './db/migrate.ts';
import {
  type Address,
  type Database,
  type OrmDatabase,
  openDatabase,
  openOrm,
  SETTINGS_OF_ENGINES,
  settingsOfRequests,
} from './db/orm.ts';
import { UnreadHold } from './domain/automations/hold.ts';
import type { ObserveFeeds } from './domain/catalog/feeds/run-feed.ts';
import type { Processed } from './domain/imports/turn.ts';
import { openAddressDigest } from './domain/messages/core/address-digest.ts';
import type { Observe as ObserveMessages } from './domain/messages/sending/observed.ts';
import { notificationTasks } from './domain/notifications/tasks.ts';
import { openSecrets } from './domain/secrets/open-secrets.ts';
import type { Secrets } from './domain/secrets/secrets.ts';
import type { SegmentWork } from './domain/segments/engine/work.ts';
import { relayOfUrl } from './domain/senders/relay.ts';
import { ensureStore } from './domain/stores.ts';
import { Networks } from './domain/webhooks/endpoints/networks.ts';
import type { Observe } from './domain/webhooks/sending/observed.ts';
import { hasEmbedded, isEmbedded, openEmbedded } from './embedded-postgres/embedded-postgres.ts';
import { Engine, type EngineSetup } from './engine/engine.ts';
import { Periodic, type PeriodicTask } from './engine/periodic.ts';
import { RequestLoad } from './engine/right-of-way.ts';
import { dnsRecords } from './outbound/dns-records.ts';
import { SmtpHandOver } from './outbound/smtp/hand-over.ts';
import { DiskSpace } from './process/disk-space.ts';
import type { Log } from './process/log.ts';
import type { ReportProgress } from './process/progress.mjs';
import { ATTRIBUTION } from './work/attribution.ts';
import { AUTOMATIONS, type RunsLost } from './work/automations.ts';
import { BULK_JOBS } from './work/bulk-jobs.ts';
import { CAMPAIGNS } from './work/campaigns.ts';
import { FEEDS, FEEDS_AT_ONCE } from './work/feeds.ts';
import { MESSAGES } from './work/messages.ts';
import { tasksOfAll, tasksOfBulkJobs, tasksOfEngines } from './work/periodic-tasks.ts';
import { SegmentEngine } from './work/segments.ts';
import { SWEEPS } from './work/sweeps.ts';
import { type OutwardSetup, WEBHOOKS } from './work/webhooks.ts';

export const DEFAULT_STORE = 'default';

/** Connections for what engines look for, one each, and for what they no longer need. */
const ENGINE_CONNECTIONS = 8;
/** Campaigns that a process takes further at a time. */
const CAMPAIGNS_AT_ONCE = 2;
/** Stores that a process erases and merges customers of at a time. */
const SWEEPS_AT_ONCE = 1;
/** Stores whose orders a process credits at a time. */
const ATTRIBUTION_AT_ONCE = 2;

export interface Storage {
  address: Address;
  /** On the disk of the embedded database; undefined if another one is used. */
  diskSpace: DiskSpace | undefined;
  database: OrmDatabase;
  background: BackgroundMigrations;
  secrets: Secrets;
  unreadHold: UnreadHold;
  periodic: Periodic;
  /** What ends at the same time: first what is working, then the connections. */
  working: DisposableGroup;
  connections: DisposableGroup;
}

/**
 * Opens and migrates the configured database, or starts the embedded one if none is configured. `progress` reports what a
 * first start has to do.
 */
export async function openStorage(
  config: Config,
  log: Log,
  resources: AsyncDisposableStack,
  poolSize: number = config.databasePoolSize,
  progress?: ReportProgress,
): Promise<Storage> {
  const periodic = new Periodic(log);
  const databaseUrl = config.databaseUrl ?? (await openPostgres(config, resources, { log, periodic, progress }));
  const connections = resources.use(new DisposableGroup());
  const working = resources.use(new DisposableGroup());
  working.defer(() => periodic.stop());
  const address = await migrate(databaseUrl, { progress });
  const database = await openOrm(address, poolSize, settingsOfRequests(config.databaseTimeout));
  connections.defer(() => database.close());
  await ensureStore(database, DEFAULT_STORE);
  const secrets = await openSecrets(database.sql, config.secretKeys);
  // Drawn where there is none, so that it is there for what reads from a replica.
  await openAddressDigest(database.sql);
  const unreadHold = new UnreadHold(database.stores);
  await periodic.start(unreadHold.periodic(log));
  if (database.pooler) {
    log.info({ prepared_statements: database.pooler.preparesStatements }, 'DATABASE_URL names a pooler');
  }

  const background = await BackgroundMigrations.open(database.sql, address, log);
  working.defer(() => background.stop());
  const diskSpace = isEmbedded(databaseUrl, config.dataDir) ? new DiskSpace(config.dataDir) : undefined;
  const storage = { address, diskSpace, database, background, secrets, unreadHold, periodic, working, connections };
  await periodic.start(...tasksOfAll(storage, config, log));
  return storage;
}

/** Runs a command's work on the configured database; starts an embedded one for it if necessary. */
export async function withPostgres<T>(config: Config, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  await using resources = new AsyncDisposableStack();
  return await work(config.databaseUrl ?? (await openPostgres(config, resources)));
}

/** What is observed of engines, for the metrics. */
interface EngineObservers {
  imported(processed: Processed): void;
  runsLost(lost: RunsLost): void;
  segments(work: SegmentWork): void;
  webhooks: Observe;
  feeds: ObserveFeeds;
  messages: ObserveMessages;
}

export type BulkJobs = Engine<EngineSetup, Processed>;

/**
 * Starts working on bulk jobs, erasures and merges, and on automations, segments and webhooks, in this process, unless the configured
 * concurrency is 0. Returns what works on bulk jobs.
 */
export async function openEngines(
  config: Config,
  { address, secrets, unreadHold: { isChecked: isReady }, periodic, working, connections }: Storage,
  log: Log,
  { imported, runsLost, segments, webhooks, feeds, messages }: Partial<EngineObservers> = {},
): Promise<BulkJobs | undefined> {
  const { workerConcurrency, automationConcurrency: concurrency, messageConcurrency: underWay } = config;
  if (workerConcurrency + concurrency + underWay === 0) return undefined;
  const database = await openDatabase(address, ENGINE_CONNECTIONS, SETTINGS_OF_ENGINES);
  connections.defer(() => database.close());
  const tools = { stores: database.stores, log };
  /** Of what speaks with receivers of stores. */
  const outward: OutwardSetup = {
    ...{ address, concurrency: Number.POSITIVE_INFINITY, keys: secrets.keys },
    ...{ allowedNetworks: config.webhookAllowedNetworks, allowHttp: config.webhookAllowHttp },
  };
  const start = async (...engines: readonly Pick<BulkJobs, 'periodic' | 'stop'>[]) => {
    for (const engine of engines) {
      working.defer(() => engine.stop());
      await periodic.start(...engine.periodic);
    }
  };
  const load = new RequestLoad();
  await periodic.start(load.periodic);
  const requestLoad = load.shared;
  let bulkJobs: BulkJobs | undefined;
  if (workerConcurrency > 0) {
    const setup = { address, concurrency: workerConcurrency };
    bulkJobs = new Engine(BULK_JOBS, { ...tools, setup, onNotice: imported });
    await start(
      bulkJobs,
      new Engine(SWEEPS, { ...tools, setup: { address, concurrency: SWEEPS_AT_ONCE, requestLoad } }),
      new Engine(FEEDS, { ...tools, setup: { ...outward, concurrency: FEEDS_AT_ONCE }, onNotice: feeds }),
    );
    await periodic.start(...tasksOfBulkJobs(database));
  }
  if (concurrency > 0) {
    const setup = { address, concurrency };
    await start(
      new Engine(AUTOMATIONS, { ...tools, setup, isReady, onNotice: runsLost }),
      new SegmentEngine({ ...tools, setup, onWork: segments }),
      new Engine(WEBHOOKS, { ...tools, setup: outward, isReady, onNotice: webhooks }),
    );
    await periodic.start(...tasksOfEngines(database));
  }
  if (underWay > 0) {
    const { smtpUrl, twilioUrl } = config;
    const setup = { ...outward, requestLoad, underWay, publicUrl: linkBaseOf(config), smtpUrl, twilioUrl };
    await periodic.start(...openNotifications(config, database, { secrets, working, connections }));
    await start(
      new Engine(MESSAGES, { ...tools, setup, isReady, onNotice: messages }),
      new Engine(CAMPAIGNS, { ...tools, setup: { address, concurrency: CAMPAIGNS_AT_ONCE }, isReady }),
      new Engine(ATTRIBUTION, { ...tools, setup: { address, concurrency: ATTRIBUTION_AT_ONCE, requestLoad } }),
    );
  }
  return bulkJobs;
}

/** What tells the people of stores what needs them, and how the week was. */
function openNotifications(
  config: Config,
  { stores }: Pick<Database, 'stores'>,
  { secrets, working, connections }: Pick<Storage, 'secrets' | 'working' | 'connections'>,
): PeriodicTask[] {
  const { webhookAllowedNetworks, smtpUrl } = config;
  const handOver = new SmtpHandOver({ networks: new Networks(webhookAllowedNetworks) });
  connections.defer(() => handOver.close());
  const stopping = new AbortController();
  working.defer(async () => stopping.abort());
  const shared = smtpUrl === undefined ? undefined : { relay: relayOfUrl(smtpUrl), maxPerDay: config.smtpUrlMaxPerDay };
  const tools = { secrets, handOver, dns: dnsRecords(), shared, stopping: stopping.signal };
  return notificationTasks(stores, linkBaseOf(config), tools);
}

/** Keeps it running, and its log bounded, if a log is given. */
async function openPostgres(
  { dataDir }: Config,
  resources: AsyncDisposableStack,
  kept?: { log: Log; periodic: Periodic; progress: ReportProgress | undefined },
): Promise<string> {
  const open = () => openEmbedded(dataDir);
  const progress = hasEmbedded(dataDir) ? undefined : kept?.progress;
  const postgres = await (progress ? progress('Creating the database', open) : open());
  resources.defer(() => postgres.release());
  if (!kept) return postgres.url;
  resources.defer(postgres.keepRunning(kept.log));
  await kept.periodic.start({
    failure: 'the log of the embedded Postgres is not bounded',
    everyMs: 60_000,
    run: async () => postgres.rotateLog(),
  });
  return postgres.url;
}
