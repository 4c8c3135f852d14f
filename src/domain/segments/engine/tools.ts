import type { Log } from '../../../process/log.ts';
import type { GenerationCache } from './segments.ts';
import type { WorkCount } from './work.ts';

/** What the work on the segments of all stores shares. */
export interface SegmentTools {
  generations: GenerationCache;
  log: Log;
  work: WorkCount;
  /** Milliseconds. */
  now: () => number;
}
