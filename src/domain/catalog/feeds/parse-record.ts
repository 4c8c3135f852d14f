import { parseLosslessJson } from '../../lossless-json.ts';
import type { FeedRecord } from './product.ts';

/** Reads a value of JSON that is to be an object. */
export function parseRecord(text: string): { record: FeedRecord } | { problem: string } {
  try {
    const value = parseLosslessJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { record: value as FeedRecord };
    return { problem: 'is not an object' };
  } catch {
    return { problem: 'is not JSON' };
  }
}
