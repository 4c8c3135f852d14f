/** The app with everything in place except a database: a floor of the benchmark. Listens on `PORT`. */
import { createServer } from 'node:http';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { SCOPES } from '../../src/domain/caller.ts';
import type { Draft, Recorded } from '../../src/domain/write/draft.ts';
import { readFromReplica } from '../../src/http/read-from-replica.ts';
import { ResponseBudget } from '../../src/http/response-budget.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { type NativeParts, nativeSurface } from '../../src/native/index.ts';
import { createLog } from '../../src/process/log.ts';
import { MemoryWindow } from '../../src/rate-limit/memory-window.ts';

const id = '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77';
const caller = {
  actor: { kind: 'key' as const, id },
  storeId: id,
  windowId: id,
  scopes: new Set<string>(SCOPES),
  tier: 'standard',
  expiresAt: null,
  country: null,
  keepsHistory: false,
};
const recorded = ({ event }: Draft): Recorded => ({
  profileId: id,
  profile: undefined,
  profileCreated: false,
  event: event && { ...event, profileId: id },
  replayed: false,
});
const groupCommit = {
  record: async (_store: string, draft: Draft) => recorded(draft),
  recordAll: async (_store: string, drafts: Draft[]) => drafts.map(recorded),
};

/** What the loads do not use. */
const unused = {} as never;
const parts: NativeParts = {
  groupCommit: groupCommit as never,
  findReplay: unused,
  writing: unused,
  reading: unused,
  onJob: unused,
  stores: unused,
  background: unused,
  reader: readFromReplica(unused, undefined),
  keys: unused,
  auditLog: unused,
  rateLimitUses: unused,
  streams: unused,
  versions: unused,
  templates: unused,
  senders: unused,
  making: unused,
  feeds: unused,
  webhooks: { rules: unused, send: unused, secrets: unused },
};
const config = readConfig(process.env);
const app = createApp({
  config,
  log: createLog(config.logLevel),
  callers: { authenticateSession: async () => undefined, authenticate: async () => caller },
  window: new MemoryWindow(),
  health: { isDraining: () => false } as never,
  rejections: { add: () => {} },
  metrics: new Metrics(config.rateLimitTiers),
  exposition: async () => '',
  surfaces: [await nativeSurface(parts)],
  responses: new ResponseBudget(config),
  readConnections: unused,
  largeRequests: unused,
  people: unused,
  recipientPages: {
    ...{ tokens: unused, writing: unused, images: unused, trackedLinks: unused, hits: unused, templates: unused },
    publicUrl: '',
  },
  providerHooks: { hookTokens: unused, secrets: unused, versions: unused, writing: unused, sns: unused, linkBase: '' },
});
createServer(app.callback()).listen(config.port, config.host, () => console.log('listening'));
