import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import type { Running } from './command/run-until-signal.ts';
import { compatSurface } from './compat/index.ts';
import { type Config, linkBaseOf } from './config.ts';
import {
  type Database,
  type OrmDatabase,
  openDatabase,
  openOrm,
  type Settings,
  type Sql,
  settingsOfRequests,
} from './db/orm.ts';
import { Replica } from './db/replica.ts';
import { ApiKeys } from './domain/api-keys/api-keys.ts';
import { Callers } from './domain/api-keys/callers.ts';
import { AuditLog } from './domain/audit/audit-log.ts';
import { VersionCache } from './domain/automations/stored/version-cache.ts';
import type { FeedTools } from './domain/catalog/feeds/url.ts';
import { PublicImages } from './domain/images/public-images.ts';
import type { OnJob } from './domain/imports/bulk/jobs.ts';
import { HOOKS } from './domain/messages/hook-token.ts';
import { openMailMaker } from './domain/messages/sending/make-mails.ts';
import { findEvent } from './domain/reading/events.ts';
import type { FindReplay } from './domain/record-event.ts';
import { RejectionLog } from './domain/rejections.ts';
import { DkimKeys } from './domain/senders/dkim-keys.ts';
import { relayOfUrl } from './domain/senders/relay.ts';
import type { SenderTools } from './domain/senders/tools.ts';
import { shareConnections, splitPool, type WithConnection } from './domain/store-connections.ts';
import { openTemplateTools } from './domain/templates/template-tools.ts';
import { HitBuffer } from './domain/tracking/hit-buffer.ts';
import { TRACKED_LINKS } from './domain/tracking/tracked-links.ts';
import type { Send } from './domain/webhooks/deliveries/attempt.ts';
import { Networks } from './domain/webhooks/endpoints/networks.ts';
import { secretsOfEndpoints } from './domain/webhooks/endpoints/sealed-secrets.ts';
import type { UrlRules } from './domain/webhooks/endpoints/url.ts';
import { GroupCommit } from './domain/write/group-commit.ts';
import { createDrain } from './http/drain.ts';
import { databaseCheck, erasureCheck } from './http/health.ts';
import { listen, SHARES_PORTS } from './http/listen.ts';
import { rateLimitUses } from './http/rate-limit.ts';
import { readFromReplica } from './http/read-from-replica.ts';
import { ResponseBudget } from './http/response-budget.ts';
import { createHttpServer } from './http/server.ts';
import { LargeRequests, type LargeRequestsOptions } from './large-requests/large-requests.ts';
import { createExposition } from './metrics/exposition.ts';
import { registerGauges } from './metrics/gauges.ts';
import { Metrics } from './metrics/metrics.ts';
import { nativeSurface } from './native/index.ts';
import { EVENT_STREAM } from './native/stream-events.ts';
import { resolveByServers } from './outbound/checked-lookup.ts';
import { dnsRecords } from './outbound/dns-records.ts';
import { fetchText } from './outbound/fetch-text.ts';
import { FeedServers } from './outbound/open-feed.ts';
import { OpenId } from './outbound/open-id.ts';
import { SmtpHandOver } from './outbound/smtp/hand-over.ts';
import { Transport } from './outbound/transport.ts';
import { logStalls } from './process/event-loop-monitor.ts';
import type { Log } from './process/log.ts';
import type { ReportProgress } from './process/progress.mjs';
import { StartError } from './process/start-error.ts';
import { type FetchText, SnsSignatures } from './provider-hooks/providers/sns.ts';
import { MemoryWindow } from './rate-limit/memory-window.ts';
import type { RedisWindow } from './rate-limit/redis-window.ts';
import { openEngines, openStorage, type Storage } from './storage.ts';
import { LiveStreams } from './streams/live-streams.ts';

/** Connections for keys, health and metrics. */
const CONTROL_CONNECTIONS = 3;
/** Milliseconds after which a thread ends that makes messages for checks of campaigns, of which there are few. */
const MAKER_IDLE_MS = 60_000;

export interface Service extends Running {
  /** The URL on which it listens: `http://127.0.0.1:3000`. */
  url: string;
  keys: ApiKeys;
  database: OrmDatabase;
}

export interface StartOptions {
  /** Whether it listens only once the thread for large requests is ready, for whose start the first of them would wait. */
  isWarm?: boolean;
  progress?: ReportProgress;
  /** Name servers that are asked for what senders need, in place of those of the system. */
  nameServers?: readonly string[];
  /** Gets what Amazon SNS has, in place of asking it. */
  fetchText?: FetchText;
}

/**
 * Opens what is configured, and serves. Stopping lets the requests in flight end, then whatever works in the background, and
 * closes the connections.
 */
export async function startService(config: Config, log: Log, options: StartOptions = {}): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  const connections = splitPool(config.databasePoolSize);
  const storage = await openStorage(config, log, opened, connections.writing, options.progress);
  const { periodic, database } = storage;
  const { pool, stores } = database;
  const settings = settingsOfRequests(config.databaseTimeout);
  const reads = await openOrm(storage.address, connections.reading, settings);
  storage.connections.defer(() => reads.close());
  const metrics = new Metrics(config.rateLimitTiers);
  // Before it serves, nobody can have one.
  const onJob: OnJob = (storeId) => bulkJobs?.add(storeId, stores.nodeOf(storeId));
  const largeRequests = openLargeRequests(config, storage, { observe: metrics.batch, onJob }, log);
  const warm = options.isWarm ? warmUp(largeRequests, log) : undefined;

  const control = await openControl(storage, settings);
  if (storage.address.isDistributed && config.databaseReplicaUrl !== undefined) {
    throw new StartError('DATABASE_REPLICA_URL is for a single server: DATABASE_URL names a Citus cluster.');
  }
  const replica = await openReplica(config, connections.reading, control.sql, storage);

  const writeConnections = shareConnections(connections.writing, stores, config.databaseTimeout);
  const keys = new ApiKeys(database, writeConnections);
  const callers = new Callers(control.sql);
  const rejections = new RejectionLog(stores);
  await periodic.start(callers.periodic, rejections.periodic);

  const redis = config.redisUrls.length > 0 ? await openRedis(config.redisUrls, log) : undefined;
  if (redis) storage.connections.defer(() => redis.close());
  const bulkJobs = await openEngines(config, storage, log, metrics);

  const responses = new ResponseBudget(config);
  const streams = await openStreams(storage, responses, log);
  const groupCommit = new GroupCommit(stores, {
    observe: metrics.batch,
    connections: writeConnections,
    timeout: config.databaseTimeout,
  });
  registerGauges(metrics.registry, {
    groupCommit,
    pools: () => [
      pool,
      reads.pool,
      ...stores.pools(),
      ...reads.stores.pools(),
      ...(replica ? [replica.database.pool] : []),
    ],
    replica,
    redis,
    diskSpace: storage.diskSpace,
  });
  const window = redis ?? new MemoryWindow();
  const readConnections = shareConnections(connections.reading, reads.stores, config.databaseTimeout);
  const writing: WithConnection = (storeId, work) =>
    writeConnections.run(storeId, () => work(stores.of(storeId), database.sql));
  const reading: WithConnection = (storeId, work) =>
    readConnections.run(storeId, () => work(reads.stores.of(storeId), reads.sql));
  const findReplay: FindReplay = (caller, id) =>
    reading(caller.storeId, async (db) => {
      // Many may have waited for a permit since they began.
      responses.check(caller.storeId);
      return findEvent(db, caller, id);
    });
  const reader = readFromReplica(reads.stores, replica);
  const templates = openTemplateTools(log);
  storage.working.defer(() => templates.stop());
  const maker = openMailMaker(log, MAKER_IDLE_MS);
  storage.working.defer(() => maker.stop());
  const hits = new HitBuffer({
    writing,
    onFailure: (err) => log.warn({ err }, 'opens and clicks of messages can not be recorded'),
    onLoss: metrics.hitLost,
  });
  storage.working.defer(() => hits.stop());
  const webhooks = openWebhooks(config, storage);
  const versions = new VersionCache();
  const auditLog = new AuditLog(writing, log);
  const surfaces = [
    await nativeSurface({
      groupCommit,
      findReplay,
      writing,
      reading,
      onJob,
      stores: reads.stores,
      background: storage.background,
      reader,
      keys,
      auditLog,
      rateLimitUses: rateLimitUses(window, config.rateLimitTiers),
      streams,
      versions,
      templates,
      making: {
        maker,
        tokens: storage.secrets.derive('message-tokens'),
        trackedLinks: storage.secrets.derive(TRACKED_LINKS),
      },
      senders: openSenders(config, storage, webhooks.send, options.nameServers),
      webhooks,
      feeds: openFeeds(webhooks.rules, storage),
    }),
    await compatSurface(
      {
        groupCommit,
        findReplay,
        writing,
        reading,
        onJob,
        reads: reads.orm.em,
        stores: reads.stores,
        background: storage.background,
        reader,
        keys,
        auditLog,
        versions,
      },
      config.compatAuthSchemes,
      config.compatLists,
    ),
  ] as const;
  opened.defer(logStalls(log));
  let draining = false;
  const app = createApp({
    config,
    log,
    callers,
    window,
    health: {
      databaseState: databaseCheck(control),
      erasureState: erasureCheck(control.stores),
      background: storage.background,
      diskSpace: storage.diskSpace,
      redis,
      bulkJobs,
      isDraining: () => draining,
    },
    rejections,
    metrics,
    exposition: createExposition(metrics.registry, control),
    surfaces,
    responses,
    readConnections,
    largeRequests,
    recipientPages: {
      tokens: storage.secrets.derive('message-tokens'),
      trackedLinks: storage.secrets.derive(TRACKED_LINKS),
      hits,
      images: new PublicImages(reads.stores, readConnections),
      templates,
      publicUrl: linkBaseOf(config),
      writing,
    },
    providerHooks: {
      hookTokens: storage.secrets.derive(HOOKS),
      secrets: storage.secrets,
      versions,
      writing,
      sns: new SnsSignatures(options.fetchText ?? fetchText),
      linkBase: linkBaseOf(config),
    },
    people: {
      shared: database.sql,
      stores,
      secrets: storage.secrets,
      browsers: storage.secrets.derive('known-browsers'),
      auditLog,
      openId: new OpenId(webhooks.send),
    },
  });
  const server = createHttpServer(app.callback(), config, surfaces);
  const drain = createDrain(server, config.databaseTimeout);
  await warm;
  await listen(server, config, cluster.isWorker && SHARES_PORTS);
  opened.defer(drain);
  // Streams would go on forever, and the drain with them.
  opened.defer(() => streams.close());
  const resources = opened.move();
  const stop = () => {
    draining = true;
    return resources.disposeAsync();
  };
  return { url: urlOf(config.host, server), keys, database, stop };
}

function openLargeRequests(
  { compatAuthSchemes, databaseTimeout, publicUrl }: Config,
  { address, database, secrets, working }: Storage,
  observers: Pick<LargeRequestsOptions, 'observe' | 'onJob'>,
  log: Log,
): LargeRequests {
  const setup = { address, databaseTimeout, compatAuthSchemes, secretKeys: secrets.keys, publicUrl };
  const largeRequests = new LargeRequests({ setup, stores: database.stores, log, ...observers });
  working.defer(() => largeRequests.stop());
  return largeRequests;
}

/** Other requests are served without it, so it is no reason not to start. */
async function warmUp(largeRequests: LargeRequests, log: Log): Promise<void> {
  await largeRequests.start().catch((err) => log.warn({ err }, 'the thread for large requests is not ready'));
}

/**
 * Opens connections for what is needed to admit a request, and for operators: look-ups of known keys, look-ups of other
 * keys, and the two database checks. They neither wait for requests nor hold them up.
 */
async function openControl({ address, connections }: Storage, settings: Settings): Promise<Database> {
  const control = await openDatabase(address, CONTROL_CONNECTIONS, settings);
  connections.defer(() => control.close());
  return control;
}

/** Opens the replica, if there is one, and keeps checking it. */
async function openReplica(
  { databaseReplicaUrl }: Config,
  size: number,
  primary: Sql,
  { periodic, connections }: Storage,
): Promise<Replica | undefined> {
  if (databaseReplicaUrl === undefined) return undefined;
  const replica = await Replica.open(databaseReplicaUrl, size, primary);
  connections.defer(() => replica.close());
  await periodic.start({
    failure: 'the replica is not used',
    everyMs: 1_000,
    alsoAt: 'start',
    run: () => replica.check(),
  });
  return replica;
}

/** Opens the live streams, on a connection of its own so that it never waits for requests. */
async function openStreams(
  { address, periodic, connections }: Storage,
  memory: ResponseBudget,
  log: Log,
): Promise<LiveStreams> {
  const database = await openDatabase(address, 1);
  connections.defer(() => database.close());
  const onFailure = (err: unknown, store_id: string) => log.warn({ err, store_id }, 'a stream failed, and was ended');
  const streams = new LiveStreams({ stores: database.stores, encoder: EVENT_STREAM, memory, onFailure });
  await periodic.start(streams.periodic);
  return streams;
}

/** What requests do with webhooks themselves: checking URLs, and sending tests. */
function openWebhooks(
  { webhookAllowedNetworks, webhookAllowHttp: allowHttp }: Config,
  { connections, secrets, background }: Storage,
) {
  const networks = new Networks(webhookAllowedNetworks);
  const transport = new Transport({ networks, allowHttp });
  connections.defer(() => transport.close());
  const send: Send = (...request) => transport.send(...request);
  return { rules: { allowHttp, networks }, send, secrets: secretsOfEndpoints(secrets, background) };
}

/** What requests do with feeds themselves: checking URLs, and previews. */
function openFeeds(rules: UrlRules, { connections, secrets }: Storage): FeedTools {
  const servers = new FeedServers(rules);
  connections.defer(() => servers.close());
  return { rules, secrets, open: servers.open };
}

/** What requests do with senders themselves: checking them, and sending tests. */
function openSenders(
  config: Config,
  { connections, secrets }: Storage,
  sendWebhook: Send,
  nameServers: readonly string[] | undefined,
): SenderTools {
  const { webhookAllowedNetworks, port, publicUrl, twilioUrl, messageMaxPerSecond } = config;
  const { smtpUrl, smtpUrlMaxPerDay: maxPerDay } = config;
  const networks = new Networks(webhookAllowedNetworks);
  const name = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const handOver = new SmtpHandOver({ networks, name, resolve: resolveByServers(nameServers) });
  connections.defer(() => handOver.close());
  return {
    secrets,
    handOver,
    sendWebhook,
    dns: dnsRecords(nameServers),
    networks,
    hasExceptions: webhookAllowedNetworks.length > 0,
    publicUrl,
    linkBase: linkBaseOf({ publicUrl, port }),
    hookTokens: secrets.derive(HOOKS),
    dkimKeys: new DkimKeys(),
    maxPerSecond: messageMaxPerSecond,
    twilioUrl,
    shared: smtpUrl === undefined ? undefined : { relay: relayOfUrl(smtpUrl), maxPerDay },
  };
}

function urlOf(host: string, server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Loads the client of Redis only where there is one: it takes megabytes. */
async function openRedis(urls: readonly string[], log: Log): Promise<RedisWindow> {
  const { RedisWindow } = await import('./rate-limit/redis-window.ts');
  return RedisWindow.open(urls, log);
}
