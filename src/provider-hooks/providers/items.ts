import { hash } from 'node:crypto';
import { invalid, type Violation } from '../../domain/service-error.ts';
import { textOf } from '../values.ts';

/** Items of a request. */
export const MOST_ITEMS = 10_000;
/** Characters of an id. */
export const MAX_ID = 255;

/** Throws `validation_error` for too many. */
export function expectItems(count: number, path: Violation['path']): void {
  if (count > MOST_ITEMS) throw invalid({ path, problem: `must have no more than ${MOST_ITEMS} items` });
}

/** The id by which a provider knows what it tells; where there is none, one that is made of what it tells. */
export function itemId(id: unknown, raw: string): string {
  const text = typeof id === 'number' ? String(id) : textOf(id);
  return text !== undefined && text.length <= MAX_ID ? text : hash('sha256', text ?? raw, 'hex');
}
