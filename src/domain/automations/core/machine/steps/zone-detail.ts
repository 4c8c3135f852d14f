import { seen } from '../../../../conditions/seen.ts';
import type { Zone } from '../customer-zone.ts';

/** What a timeline says about the zone that a local time was meant in. */
export function zoneDetail({ name, unknown }: Zone): { timeZone: string; unknownTimeZone?: unknown } {
  return { timeZone: name, ...(unknown === undefined ? {} : { unknownTimeZone: seen(unknown) }) };
}
