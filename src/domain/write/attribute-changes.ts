import { isDeepStrictEqual } from 'node:util';
import { fieldBytes } from '../../db/jsonb-binary.ts';
import type { AttributePatch, PatchedAttributes } from '../attributes/attributes.ts';
import type { FoundField } from '../attributes/fields.ts';

/** What an attribute was and what it is now, each absent where there was none. */
export interface AttributeChange {
  from?: unknown;
  to?: unknown;
}

/** In the place of a value that is too large to be kept: an object, so that it exists, but is like no value asked for. */
export interface OmittedValue {
  /** As jsonb prints it. */
  omitted_bytes: number;
}

/** Bytes of a value that is kept, and of all that are kept of one change. */
export const [MAX_VALUE_BYTES, MAX_CHANGE_BYTES] = [4 * 1024, 32 * 1024];

type Values = ReadonlyMap<string, FoundField | undefined>;

/** Returns attributes as they are now. */
export function valuesOf(names: readonly string[], attributes: PatchedAttributes): Values {
  return new Map(names.map((name) => [name, attributes.find(name, MAX_VALUE_BYTES)]));
}

/** Returns the names of the attributes that a patch may change. */
export function namesIn({ set = {}, merge = {}, append = {}, unappend = {}, unset = [] }: AttributePatch): string[] {
  return [set, merge, append, unappend].flatMap(Object.keys).concat(unset);
}

/** Returns what the last patch has changed of attributes that were read before it; undefined if that is nothing. */
export function changesSince(
  before: Values,
  attributes: PatchedAttributes,
): Record<string, AttributeChange> | undefined {
  const changes = new Map<string, AttributeChange>();
  const kept: Kept = { bytes: 0 };
  for (const name of new Set(attributes.lastChanged)) {
    if (!before.has(name)) continue;
    const [from, to] = [before.get(name), attributes.find(name, MAX_VALUE_BYTES)];
    if (isSame(from, to)) continue;
    kept.bytes += fieldBytes(name, 0);
    changes.set(name, { ...side('from', from, kept), ...side('to', to, kept) });
  }
  return changes.size > 0 ? Object.fromEntries(changes) : undefined;
}

/** Whether a patch has changed an attribute back to what it was. Large ones are not compared. */
function isSame(from: FoundField | undefined, to: FoundField | undefined): boolean {
  if (!from || !to) return from === to;
  return 'value' in from && 'value' in to && isDeepStrictEqual(from.value, to.value);
}

interface Kept {
  bytes: number;
}

function side(name: keyof AttributeChange, field: FoundField | undefined, kept: Kept): AttributeChange {
  if (!field) return {};
  const isKept = 'value' in field && kept.bytes + field.bytes <= MAX_CHANGE_BYTES;
  const omitted: OmittedValue = { omitted_bytes: field.bytes };
  if (isKept) kept.bytes += field.bytes;
  return { [name]: isKept ? field.value : omitted };
}
