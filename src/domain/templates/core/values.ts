import { toValue } from 'liquidjs';
import { BOUNDS, bounded, TooLarge } from './bounds.ts';

/** What `nil`, `empty` and `blank` stand for, or the value itself. */
export const plain = (value: unknown): unknown => toValue(value);

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is as good as none: what `default` replaces, but for `false`. */
export function isMissing(value: unknown): boolean {
  const given = plain(value);
  return given === undefined || given === null || given === '' || (Array.isArray(given) && given.length === 0);
}

/** As it is printed: lists without anything between their members, objects as JSON. */
export function toText(value: unknown): string {
  const given = plain(value);
  if (typeof given === 'string') return given;
  if (given === undefined || given === null) return '';
  if (Array.isArray(given)) {
    let text = '';
    for (const member of given) text = bounded(text + toText(member));
    return text;
  }
  return typeof given === 'object' ? bounded(JSON.stringify(given) ?? '') : String(given);
}

/** 0 where it is no number. */
export function toNumber(value: unknown): number {
  const given = plain(value);
  if (typeof given === 'number') return Number.isFinite(given) ? given : 0;
  if (typeof given !== 'string' || given.length > 100) return 0;
  const number = Number(given);
  return Number.isFinite(number) ? number : 0;
}

/** Whole, and within what lists and texts can have. */
export function toCount(value: unknown): number {
  return Math.trunc(Math.max(-BOUNDS.output, Math.min(BOUNDS.output, toNumber(value))));
}

/** The members of a list; one value is a list of it, and nothing an empty one. */
export function toList(value: unknown): unknown[] {
  const given = plain(value);
  if (Array.isArray(given)) return given;
  return given === undefined || given === null || given === '' ? [] : [given];
}

/** What a loop goes through: the members of a list, or the names and values of an object as pairs. */
export function toMembers(value: unknown): unknown[] {
  const given = plain(value);
  return isRecord(given) ? Object.entries(given) : toList(given);
}

/** Reads a property by its name, or by several with dots; own properties only. */
export function readPath(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** Throws `TooLarge` for data that is larger or deeper than templates take. */
export function expectSmall(data: unknown): void {
  let left: number = BOUNDS.data;
  const count = (value: unknown, depth: number) => {
    if (depth > BOUNDS.depth) throw new TooLarge(`The values are more than ${BOUNDS.depth} objects or lists deep`);
    if (typeof value === 'string') left -= value.length + 2;
    else if (Array.isArray(value)) {
      left -= 2;
      for (const member of value) count(member, depth + 1);
    } else if (isRecord(value)) {
      left -= 2;
      for (const name of Object.keys(value)) {
        left -= name.length + 3;
        count(value[name], depth + 1);
      }
    } else left -= 5;
    if (left < 0) throw new TooLarge(`The values are longer than ${BOUNDS.data} characters`);
  };
  count(data, 0);
}
