import { lookUp } from '../../../conditions/lookup.ts';
import { seen } from '../../../conditions/seen.ts';
import type { JsonObject } from '../../../conditions/subject.ts';
import { isTimeZone } from '../../../time/local.ts';
import { DEFAULT_TIME_ZONE, type Definition, type TimeZoneSetting } from '../definition/definition.ts';

export interface Zone {
  name: string;
  /** The customer's value, if it is there but is no time zone, so that the default holds. */
  unknown?: unknown;
}

/** The time zone of a customer: `value` is what their profile has in the attribute of the setting. */
export function zoneOf({ default: fallback }: TimeZoneSetting, value: unknown): Zone {
  if (value === undefined || value === null) return { name: fallback };
  return typeof value === 'string' && isTimeZone(value) ? { name: value } : { name: fallback, unknown: value };
}

/** The time zone in which an automation means its local times for a customer. */
export function customerZone({ time_zone: setting = DEFAULT_TIME_ZONE }: Definition, attributes: JsonObject): Zone {
  return zoneOf(setting, setting.attribute === undefined ? undefined : lookUp(attributes, setting.attribute));
}

/** What a timeline says about the zone that a local time was meant in. */
export function zoneDetail({ name, unknown }: Zone): { timeZone: string; unknownTimeZone?: unknown } {
  return { timeZone: name, ...(unknown === undefined ? {} : { unknownTimeZone: seen(unknown) }) };
}
