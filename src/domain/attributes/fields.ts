import { isDeepStrictEqual } from 'node:util';
import { EMPTY, fieldBytes, jsonbBytes } from '../../db/jsonb-binary.ts';
import { type Undo, ValueList } from './value-list.ts';

/** A value with its size once measured; or a list or an object that is being changed. */
type Content = { value: unknown; bytes?: number } | ValueList | Fields;

export interface FoundField {
  bytes: number;
  value?: unknown;
}

/**
 * An object that is changed many times, each time at the cost of the change alone, and that tracks its own size. Each
 * change pushes its reversal to `undos`; one without effect pushes nothing.
 */
export class Fields {
  readonly #contents: Map<string, Content>;
  /** Size of the fields, each including the separator after it. */
  #bytes: number;

  /** `bytes` is the size of the object as jsonb prints it, measured if not given. */
  constructor(object: object, bytes: number = jsonbBytes(object)) {
    this.#contents = new Map(Object.entries(object).map(([key, value]) => [key, { value }]));
    this.#bytes = this.size === 0 ? 0 : bytes;
  }

  get size(): number {
    return this.#contents.size;
  }

  get bytes(): number {
    return Math.max(EMPTY, this.#bytes);
  }

  /** Returns the length of a list, 1 for a single value, or 0 if there is no such field. */
  lengthOf(key: string): number {
    const content = this.#contents.get(key);
    if (content instanceof ValueList) return content.length;
    if (content instanceof Fields) return 1;
    const value = toPlain(content, []);
    return Array.isArray(value) ? value.length : 1;
  }

  /** Returns the size of a field, as jsonb prints it, and its value unless it is larger than `maxBytes`. */
  find(key: string, maxBytes: number): FoundField | undefined {
    const content = this.#contents.get(key);
    if (!content) return undefined;
    const bytes = sizeOf(content);
    return bytes > maxBytes ? { bytes } : { bytes, value: toPlain(content) };
  }

  /** Key by key: a value replaces, null removes. */
  assign(changes: object, undos: Undo[]): void {
    for (const [key, value] of Object.entries(changes)) this.set(key, value, undos);
  }

  /** A value replaces, null removes. */
  set(key: string, value: unknown, undos: Undo[]): void {
    if (value === null) this.remove(key, undos);
    else if (!this.#isEqual(key, value)) this.#setContent(key, { value }, undos);
  }

  remove(key: string, undos: Undo[]): void {
    if (this.#contents.has(key)) this.#setContent(key, undefined, undos);
  }

  /** Assigns within an object, which replaces any other value; an object that becomes empty is removed. */
  merge(key: string, changes: object, undos: Undo[]): void {
    const content = this.#contents.get(key);
    const value = content instanceof Fields ? undefined : toPlain(content);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const fields = content instanceof Fields ? content : new Fields(isObject ? value : {});
    if (content === fields || isObject) {
      this.#contents.set(key, fields);
      this.#changeWithin(fields, undos, (within) => fields.assign(changes, within));
    } else {
      fields.assign(changes, []);
      if (fields.size > 0) this.#setContent(key, fields, undos);
    }
    if (fields.size === 0) this.remove(key, undos);
  }

  /** Adds the values that a list lacks; an existing single value becomes its first item. */
  append(key: string, values: readonly unknown[], undos: Undo[]): void {
    const list = this.#listOf(key, undos);
    this.#changeWithin(list, undos, (within) => list.append(values, within));
  }

  unappend(key: string, values: readonly unknown[], undos: Undo[]): void {
    if (!this.#contents.has(key)) return;
    const list = this.#listOf(key, undos);
    this.#changeWithin(list, undos, (within) => list.unappend(values, within));
  }

  toObject(): Record<string, unknown> {
    return Object.fromEntries([...this.#contents].map(([key, content]) => [key, toPlain(content)]));
  }

  #listOf(key: string, undos: Undo[]): ValueList {
    const content = this.#contents.get(key);
    if (content instanceof ValueList) return content;
    const value = toPlain(content, []);
    const list = new ValueList(Array.isArray(value) ? value : [value]);
    if (content && Array.isArray(value)) this.#contents.set(key, list);
    else this.#setContent(key, list, undos);
    return list;
  }

  /** Applies a change within a field. */
  #changeWithin(content: ValueList | Fields, undos: Undo[], change: (within: Undo[]) => void): void {
    const [before, bytes] = [content.bytes, this.#bytes];
    const within: Undo[] = [];
    change(within);
    if (within.length === 0) return;
    this.#bytes += content.bytes - before;
    undos.push(() => {
      takeBack(within);
      this.#bytes = bytes;
    });
  }

  #isEqual(key: string, value: unknown): boolean {
    const content = this.#contents.get(key);
    if (!content) return false;
    // Build the plain value only if it is about as large as the new one.
    if (content instanceof ValueList && (!Array.isArray(value) || value.length !== content.length)) return false;
    if (content instanceof Fields && (!(value instanceof Object) || Object.keys(value).length !== content.size)) {
      return false;
    }
    return isDeepStrictEqual(toPlain(content), value);
  }

  #setContent(key: string, content: Content | undefined, undos: Undo[]): void {
    const [before, bytes] = [this.#contents.get(key), this.#bytes];
    if (content) this.#contents.set(key, content);
    else this.#contents.delete(key);
    this.#bytes += bytesOf(key, content) - bytesOf(key, before);
    undos.push(() => {
      if (before) this.#contents.set(key, before);
      else this.#contents.delete(key);
      this.#bytes = bytes;
    });
  }
}

export function takeBack(undos: Undo[]): void {
  for (const undo of undos.reverse()) undo();
}

function bytesOf(key: string, content: Content | undefined): number {
  return content ? fieldBytes(key, sizeOf(content)) : 0;
}

function sizeOf(content: Content): number {
  if ('value' in content) content.bytes ??= jsonbBytes(content.value);
  return content.bytes as number;
}

function toPlain(content: Content | undefined, missing?: unknown): unknown {
  if (content instanceof ValueList) return content.toArray();
  if (content instanceof Fields) return content.toObject();
  return content ? content.value : missing;
}
