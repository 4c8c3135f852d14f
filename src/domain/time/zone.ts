import { isTimeZone } from './local.ts';

export interface Zone {
  name: string;
  /** The customer's value, if it is there but is no time zone, so that the default holds. */
  unknown?: unknown;
}

/** The time zone of a customer: `value` is what their profile has in the attribute that a setting names. */
export function zoneOf({ default: fallback }: { default: string }, value: unknown): Zone {
  if (value === undefined || value === null) return { name: fallback };
  return typeof value === 'string' && isTimeZone(value) ? { name: value } : { name: fallback, unknown: value };
}
