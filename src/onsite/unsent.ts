import type { Batch } from './batch.ts';
import { load, remove, save } from './storage.ts';
import { isFields } from './values.ts';

const STORED_AS = 'footfall_unsent';
/** Batches that wait on a page, or for the next one; beyond them, the oldest are given up. */
export const MAX_WAITING = 20;
const MAX_CHARACTERS = 100_000;
/** Milliseconds: what is older would start automations that nobody expects any more. */
const KEPT_FOR = 24 * 3600_000;

/** Keeps batches for the next page of the shop, beside what other pages have left. */
export function storeUnsent(batches: readonly Batch[]): void {
  const left = [...unsent(), ...batches];
  while (left.length > MAX_WAITING || JSON.stringify(left).length > MAX_CHARACTERS) left.shift();
  if (batches.length > 0) save(STORED_AS, left);
}

export function takeUnsent(): Batch[] {
  const batches = unsent();
  remove(STORED_AS);
  return batches;
}

function unsent(): Batch[] {
  const stored = load(STORED_AS);
  return (Array.isArray(stored) ? stored : []).filter(
    (batch): batch is Batch =>
      isFields(batch) &&
      isFields(batch.who) &&
      isFields(batch.attributes) &&
      Array.isArray(batch.events) &&
      ['string', 'undefined'].includes(typeof batch.waitsFor) &&
      Number(batch.at) > Date.now() - KEPT_FOR &&
      Number(batch.at) <= Date.now(),
  );
}
