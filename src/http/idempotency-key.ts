import { isUtf8 } from 'node:buffer';
import { invalid } from '../domain/service-error.ts';

/** The header that says the same as `idempotency_key` of the body. */
export const KEY_HEADER = 'Idempotency-Key';
const NAME = KEY_HEADER.toLowerCase();

interface Taken {
  /** By names in lower case. */
  header: Record<string, unknown>;
  requestBody?: unknown;
}

/** An empty one is none. */
export function dropEmptyKey({ header }: Taken): void {
  if (header[NAME] === '') delete header[NAME];
}

/** Puts the key of the header into the body. Throws `validation_error` if the body has another. */
export function takeKeyOfHeader({ header, requestBody: body }: Taken): void {
  const value = header[NAME];
  if (typeof value !== 'string' || typeof body !== 'object' || body === null) return;
  const key = textOf(value);
  const given = body as { idempotency_key?: unknown };
  if (given.idempotency_key === undefined) given.idempotency_key = key;
  else if (given.idempotency_key !== key) {
    throw invalid({ path: ['idempotency_key'], problem: `differs from the header ${KEY_HEADER}` });
  }
}

/** Node reads each byte of a header as a character. */
function textOf(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
