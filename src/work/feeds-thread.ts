import { SETTINGS_OF_JOBS } from '../db/orm.ts';
import { type ObserveFeeds, runDueFeed } from '../domain/catalog/feeds/run-feed.ts';
import { Secrets } from '../domain/secrets/secrets.ts';
import { Networks } from '../domain/webhooks/endpoints/networks.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { FeedServers } from '../outbound/open-feed.ts';
import type { OutwardSetup } from './webhooks.ts';

/** To each server. */
const CONNECTIONS = 2;

serveEngine<OutwardSetup, Parameters<ObserveFeeds>[0]>({
  connections: () => CONNECTIONS,
  settings: SETTINGS_OF_JOBS,
  open({ data: { keys, allowedNetworks, allowHttp }, notify, stopping }) {
    const servers = new FeedServers({ networks: new Networks(allowedNetworks), allowHttp });
    const tools = { open: servers.open, secrets: new Secrets(keys), stopping, observe: notify };
    return { 'reading of a feed': (db, storeId) => runDueFeed(db, storeId, tools) };
  },
});
