import { durationMs } from '../../../time/duration.ts';
import { AUDIENCE_ACTIVITIES, type CatalogTrigger } from '../definition/definition.ts';
import type { DefinitionReport } from './limits.ts';

/** For as long is known what customers did with items. */
const MAX_ACTIVITY = 'P180D';
/** Pieces up to which it is written down that there are fewer. */
const MAX_LOW = 21;

export const NO_PRICE = 'must be a price, with at most 4 digits after the point';

/** Whether a number is as the prices of items are. */
export function isPrice(number: number): boolean {
  return /^\d{1,11}(\.\d{1,4})?$/.test(String(number));
}

export function checkCatalogTrigger(trigger: CatalogTrigger, report: DefinitionReport): void {
  const { change, audience, min_percent, currency, below } = trigger;
  const kinds = AUDIENCE_ACTIVITIES.filter((kind) => audience[kind] !== undefined);
  for (const kind of kinds)
    report.duration(['trigger', 'audience', kind], audience[kind] as string, durationMs(MAX_ACTIVITY));
  if (!audience.subscribed && kinds.length === 0) {
    report.add(['trigger', 'audience'], 'needs one of subscribed, viewed, carted, ordered');
  }
  if (audience.subscribed && kinds.length === 0 && change === 'low_stock') {
    report.add(['trigger', 'audience'], 'needs one of viewed, carted, ordered: nobody subscribes to low stock');
  }
  const refuse = (name: string, problem: string) => report.add(['trigger', name], problem);
  if (change !== 'price_drop') {
    if (min_percent !== undefined) refuse('min_percent', 'is for price_drop alone');
    if (currency !== undefined) refuse('currency', 'is for price_drop alone');
  }
  if (below === undefined) return;
  if (change === 'back_in_stock') refuse('below', 'is for price_drop and low_stock alone');
  if (change === 'low_stock' && !(Number.isInteger(below) && below >= 1 && below <= MAX_LOW)) {
    refuse('below', `must be a whole number of pieces from 1 to ${MAX_LOW}`);
  }
  if (change !== 'price_drop') return;
  if (!isPrice(below)) refuse('below', NO_PRICE);
  if (currency === undefined) refuse('currency', 'is required with below');
}
