import { lookUp } from '../conditions/lookup.ts';
import type { JsonObject } from '../conditions/subject.ts';
import { DEFAULT_TIME_ZONE, type Definition } from '../definition/definition.ts';
import { type Zone, zoneOf } from '../time/local.ts';

/** The time zone in which an automation means its local times for a customer. */
export function customerZone({ time_zone: setting = DEFAULT_TIME_ZONE }: Definition, attributes: JsonObject): Zone {
  return zoneOf(setting, setting.attribute === undefined ? undefined : lookUp(attributes, setting.attribute));
}
