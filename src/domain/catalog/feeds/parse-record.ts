import { parseLosslessJson } from '../../lossless-json.ts';
import type { FeedRecord } from './product.ts';

/** Levels of a record: no product needs so many, and what is printed of one is printed a level within the other. */
const MAX_DEPTH = 50;

/** Reads a value of JSON that is to be an object. */
export function parseRecord(text: string): { record: FeedRecord } | { problem: string } {
  try {
    const value = parseLosslessJson(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: 'is not an object' };
    if (isDeeper(value, MAX_DEPTH)) return { problem: `is nested deeper than ${MAX_DEPTH} levels` };
    return { record: value as FeedRecord };
  } catch {
    return { problem: 'is not JSON' };
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}
