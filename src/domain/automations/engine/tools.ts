import type { FullQueues } from '../../../db/full-queues.ts';
import type { Log } from '../../../process/log.ts';
import type { EndpointQueues } from '../../webhooks/deliveries/queue.ts';
import type { VersionCache } from '../stored/version-cache.ts';
import type { EmissionPace } from './emission-pace.ts';
import type { KnownChains } from './known-chains.ts';

/** What the work on the automations of all stores shares. */
export interface EngineTools {
  versions: VersionCache;
  queues: EndpointQueues;
  /** Of the messages of each sender. */
  messageQueues: FullQueues;
  log: Log;
  /** Whether a store keeps a history of its customers. */
  keepsHistory: (storeId: string) => Promise<boolean>;
  /** Milliseconds. */
  now: () => number;
  /** Called with the number of runs that have failed for good. */
  onFailed: (runs: number) => void;
  /** Called with the number of runs that ended or did not start, as too much has followed already. */
  onCut: (runs: number) => void;
  pace: EmissionPace;
  chains: KnownChains;
}
