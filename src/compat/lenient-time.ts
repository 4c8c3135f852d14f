import { parseTime } from '../domain/event-time.ts';

const ISO_8601 = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d)?(\.\d+)?)? ?([Zz]|[+-]\d\d(?::?\d\d)?)?$/;

/**
 * Parses what clients send as a time: ISO 8601 with `T` or a space before the time of day, or without one; with an
 * offset, or without one (UTC). Undefined for anything else, for dates that do not exist and for leap seconds.
 */
export function parseLenientTime(text: string): Date | undefined {
  const match = ISO_8601.exec(text.trim());
  if (!match) return undefined;
  const [, date, minute = '00:00', second = ':00', fraction = '', offset = 'Z'] = match;
  return parseTime(`${date}T${minute}${second}${fraction}${toColonForm(offset)}`);
}

/** `+0200` and `+02` → `+02:00`. */
function toColonForm(offset: string): string {
  if (offset.length === 1 || offset.includes(':')) return offset;
  return `${offset.slice(0, 3)}:${offset.slice(3) || '00'}`;
}
