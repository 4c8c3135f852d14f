import { ServiceError } from '../../service-error.ts';

/** Parts of a file that is uploaded. */
export const MAX_PARTS = 1_000;
const MEGABYTE = 1024 * 1024;
const MAX_FILE_BYTES = 100 * MEGABYTE;
/** Bytes of all files of a kind that a store has uploaded, and that are not read yet. */
const MAX_STORE_BYTES = 500 * MEGABYTE;

/** Throws `validation_error` for a file that is larger than files may be, or makes those of its store so. */
export function expectRoom(fileBytes: number, othersOfStore: number, ofStore: string): void {
  if (fileBytes > MAX_FILE_BYTES) throw tooLarge('The file is', MAX_FILE_BYTES);
  if (fileBytes + othersOfStore > MAX_STORE_BYTES) throw tooLarge(ofStore, MAX_STORE_BYTES);
}

export function missingPart(number: number): ServiceError {
  return new ServiceError('validation_error', `Part ${number} of the file is missing`);
}

function tooLarge(what: string, limit: number): ServiceError {
  return new ServiceError('validation_error', `${what} larger than ${limit / MEGABYTE} MB`);
}
