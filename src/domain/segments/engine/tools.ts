import type { Log } from '../../../process/log.ts';
import type { GenerationCache, GenerationReader } from './generations.ts';
import type { WorkCount } from './work.ts';

/** What the work on the segments of all stores shares. */
export interface SegmentTools {
  generations: GenerationCache;
  log: Log;
  work: WorkCount;
  /** Milliseconds. */
  now: () => number;
}

/** The same within a transaction: what it reads and does counts for others only once it is committed. */
export interface TransactionTools extends Pick<SegmentTools, 'log' | 'now'> {
  generations: GenerationReader;
  /** Milliseconds that are left to evaluate customers; the rest of the transaction's time is for what comes of it. */
  left: () => number;
}
