import type { ErrorDocument } from '../../../generated/compat/types.gen.ts';
import { clip, type ErrorCode, invalid, ServiceError, type Violation } from '../../domain/service-error.ts';
import { STATUS_OF_CODE } from '../../http/status.ts';
import { toResourcePath } from './profile.ts';

type ErrorObject = ErrorDocument['errors'][number];

export const TITLES: Readonly<Record<ErrorCode, string>> = {
  validation_error: 'Invalid input',
  unauthorized: 'Not authenticated',
  forbidden: 'Not allowed',
  not_found: 'Not found',
  rate_limit_exceeded: 'Too many requests',
  database_error: 'Database error',
  upstream_error: 'Service unavailable',
  internal_error: 'Internal error',
};

/** Maximum error objects in a document; a client that causes more has a bug in its code, not in its data. */
const MAX_ERRORS = 10_000;

/** The third party's clients retry 503 but not 502. */
export function statusOf(code: ErrorCode): number {
  return code === 'upstream_error' ? 503 : STATUS_OF_CODE[code];
}

/** Returns the error document: one error object per violation and, for a bulk request, per bad item. */
export function renderError({ code, message, violations }: ServiceError, requestId: string): ErrorDocument {
  const base = { id: requestId, status: statusOf(code), code, title: TITLES[code] };
  if (code !== 'validation_error') return { errors: [{ ...base, detail: message, source: {} }] };
  if (violations.length === 0) return { errors: [{ ...base, detail: message, source: { pointer: '/data' } }] };
  const errors = firstOfEachItem(violations).map((violation) => ({ ...base, ...describeViolation(violation) }));
  return { errors: errors.slice(0, MAX_ERRORS) };
}

/** Describes what is wrong and where. A path that does not lead into the document is that of a parameter. */
export function describeViolation(violation: Violation): Pick<ErrorObject, 'detail' | 'source'> {
  const { path } = violation;
  const isListItem = path.length === 2 && typeof path[1] === 'number';
  const isParameter = path[0] !== 'data' && (path.length === 1 || isListItem);
  const source = isParameter ? { parameter: clip(String(path[0]), 1000) } : { pointer: clip(pointerOf(path), 1000) };
  return { detail: clip(detailOf(violation), 1000), source };
}

/** The e-mail address of a profile in a bulk request. */
const LISTED_ADDRESS = /^\/data\/attributes\/profiles\/data\/\d+\/attributes\/email$/;

/**
 * A detail about an address of a bulk request begins with it, because a large integration takes it from there: it
 * removes that recipient and sends the rest again, without an end if it finds none.
 */
function detailOf({ path, problem, address }: Violation): string {
  if (address !== undefined && LISTED_ADDRESS.test(pointerOf(path))) return `${address} is not a valid email.`;
  return `${nameOf(path)} ${problem}`;
}

function pointerOf(path: Violation['path']): string {
  const steps = path.length > 0 ? path : ['data'];
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** `email`, `properties[3]`: the last step that has a name, and what follows it. */
function nameOf(path: Violation['path']): string {
  const last = path.findLastIndex((step) => typeof step === 'string');
  if (last < 0) return 'The body';
  const indices = path.slice(last + 1).map((index) => `[${index}]`);
  return `${clip(String(path[last]), 200)}${indices.join('')}`;
}

/**
 * Awaits some work; violations that it finds in a profile are reported at the place where the document has the profile.
 */
export async function reportAt<T>(resource: Violation['path'], work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.violations.length === 0) throw error;
    const [first, ...others] = error.violations.map(({ path, problem }) => ({
      path: [...resource, ...toResourcePath(path)],
      problem,
    }));
    throw invalid(first as Violation, ...others);
  }
}

const ITEMS =
  /^\/data\/attributes\/(?:profiles\/data\/\d+|events-bulk-create\/data\/\d+(?:\/attributes\/events\/data\/\d+)?)/;

/** Clients mark the items that the errors point at as failed, and count the errors. */
function firstOfEachItem(violations: readonly Violation[]): Violation[] {
  const seen = new Set<string>();
  return violations.filter(({ path }) => {
    const item = ITEMS.exec(pointerOf(path))?.[0];
    if (item === undefined) return true;
    if (seen.has(item)) return false;
    seen.add(item);
    return true;
  });
}
