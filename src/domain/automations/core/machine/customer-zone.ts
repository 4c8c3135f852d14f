import { lookUp } from '../../../conditions/lookup.ts';
import { seen } from '../../../conditions/seen.ts';
import type { JsonObject } from '../../../conditions/subject.ts';
import { type Zone, zoneOf } from '../../../time/zone.ts';
import { DEFAULT_TIME_ZONE, type Definition } from '../definition/definition.ts';

/** The time zone in which an automation means its local times for a customer. */
export function customerZone({ time_zone: setting = DEFAULT_TIME_ZONE }: Definition, attributes: JsonObject): Zone {
  return zoneOf(setting, setting.attribute === undefined ? undefined : lookUp(attributes, setting.attribute));
}

/** What a timeline says about the zone that a local time was meant in. */
export function zoneDetail({ name, unknown }: Zone): { timeZone: string; unknownTimeZone?: unknown } {
  return { timeZone: name, ...(unknown === undefined ? {} : { unknownTimeZone: seen(unknown) }) };
}
