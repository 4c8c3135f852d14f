/** Headers that every request to an endpoint has, such as a key of an API: encrypted, and never shown again. */
import type { RawJson } from '../../../db/raw-json.ts';
import { problemOfHeaderName } from '../../automations/core/check/header-names.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { invalidAll, type Violation } from '../../service-error.ts';
import type { Place } from './sealed-secrets.ts';

export interface SecretHeaderInput {
  name: string;
  /** Undefined or null keeps the value that is stored under the name. */
  value?: string | null | undefined;
}

/** As it is stored. */
interface SealedHeader {
  name: string;
  value: string;
}

/** What an HTTP header may have: letters, spaces and tabs of ASCII, neither at its ends. */
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Returns the headers as they are stored. Throws `validation_error` with all that is wrong with them. */
export function sealedHeaders(
  secrets: Secrets,
  { storeId, id }: Place,
  input: readonly SecretHeaderInput[],
  stored: readonly SealedHeader[] = [],
): SealedHeader[] {
  const violations: Violation[] = [];
  const seen = new Set<string>();
  const sealed = input.flatMap(({ name, value }, i): SealedHeader[] => {
    const key = name.toLowerCase();
    const problem = problemOfHeaderName(name) ?? (seen.has(key) ? 'is there twice' : undefined);
    if (problem !== undefined) violations.push({ path: ['secret_headers', i, 'name'], problem });
    seen.add(key);
    const kept = stored.find((one) => one.name.toLowerCase() === key);
    if (typeof value === 'string') {
      if (!VALUE.test(value)) violations.push({ path: ['secret_headers', i, 'value'], problem: MUST });
      return [{ name, value: secrets.seal(value, placeOf(storeId, id, key)) }];
    }
    if (kept) return [{ name, value: kept.value }];
    violations.push({ path: ['secret_headers', i, 'value'], problem: 'is required: none is stored under this name' });
    return [];
  });
  if (violations.length > 0) throw invalidAll(violations);
  return sealed;
}

const MUST = 'must be printable characters of ASCII, without spaces at its ends';

/** Throws `Unopenable`. */
export function openedHeaders(secrets: Secrets, { storeId, id }: Place, stored: RawJson): Record<string, string> {
  return Object.fromEntries(
    sealedHeadersOf(stored).map(({ name, value }) => {
      const key = name.toLowerCase();
      return [key, secrets.open(value, placeOf(storeId, id, key))];
    }),
  );
}

export function sealedHeadersOf(stored: RawJson): SealedHeader[] {
  return JSON.parse(stored.text) as SealedHeader[];
}

function placeOf(storeId: string, id: string, name: string): string[] {
  return ['webhook_endpoint', storeId, id, 'header', name];
}
