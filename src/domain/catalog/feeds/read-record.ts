import type { FeedRecord } from './product.ts';

/** A record of a file, or what is wrong with it, with the line on which it begins. */
export type ReadRecord = { line: number; record: FeedRecord } | { line: number; problem: string };
