import { MAX_PARTS } from '../domain/imports/files/file-limits.ts';
import { ServiceError } from '../domain/service-error.ts';
import { isId } from '../ids/uuid-v7.ts';

/** Returns the id of an import in a path. Throws `not_found` if it can't be one. */
export function importId(text: string): string {
  return existingImport(isId(text) ? text.toLowerCase() : undefined);
}

/** Throws `not_found` in the place of an import that there is not. */
export function existingImport<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ServiceError('not_found', 'There is no such import');
  return found;
}

/** Returns the number of a part in a path. Throws `not_found` if it can't be one. */
export function partNumber(text: string): number {
  const number = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= MAX_PARTS)) throw new ServiceError('not_found', `The parts of a file are from 1 to ${MAX_PARTS}`);
  return number;
}
