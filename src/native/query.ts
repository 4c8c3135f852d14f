import { canonicalName } from '../domain/canonical/text.ts';
import { parseTime } from '../domain/event-time.ts';
import type { PageRequest } from '../domain/reading/cursor.ts';
import { invalid } from '../domain/service-error.ts';

const DEFAULT_LIMIT = 50;

/** Converts the validated parameters of a list. */
export function toPageRequest({ limit = DEFAULT_LIMIT, cursor }: { limit?: number; cursor?: string }): PageRequest {
  return { limit, cursor };
}

/** Converts a type of events to the canonical one, with the given one where it is another. */
export function toTypeFilter(type: string | undefined): { eventType?: string; formerType?: string } {
  if (type === undefined) return {};
  const eventType = canonicalName(type);
  return eventType === type ? { eventType } : { eventType, formerType: type };
}

/** Converts validated parameters. Throws `validation_error` if the range ends before it starts. */
export function toTimeRange(query: { from?: string; to?: string }): { from: Date | undefined; to: Date | undefined } {
  const from = query.from === undefined ? undefined : parseTime(query.from);
  const to = query.to === undefined ? undefined : parseTime(query.to);
  if (from && to && from >= to) throw invalid({ path: ['from'], problem: 'must be before to' });
  return { from, to };
}
