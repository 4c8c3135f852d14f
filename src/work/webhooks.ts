import { extname } from 'node:path';
import type { SecretKey } from '../domain/secrets/secrets.ts';
import { findDueEndpoints } from '../domain/webhooks/sending/find-due.ts';
import type { EngineSetup, Work } from '../engine/engine.ts';

/** Milliseconds before an endpoint is taken again whose turn has failed. */
const PAUSE_MS = 2_000;

/** The sending of webhooks. Each endpoint has its own turn, so that none waits for another. */
export const WEBHOOKS: Work = {
  name: 'webhooks',
  module: new URL(`./webhooks-thread${extname(import.meta.url)}`, import.meta.url),
  turn: 'sending of webhooks',
  ignoresCurrent: true,
  pauseMs: [PAUSE_MS, PAUSE_MS],
  find: async (db) => (await findDueEndpoints(db)).map(({ storeId, endpointId }) => `${storeId}/${endpointId}`),
  rows: 'webhook_delivery',
};

/** What threads need that speak with receivers of stores. */
export interface OutwardSetup extends EngineSetup {
  keys: readonly SecretKey[];
  allowedNetworks: readonly string[];
  /** Whether they may be called by `http` beside `https`. */
  allowHttp: boolean;
}
