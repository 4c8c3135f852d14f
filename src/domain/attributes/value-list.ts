import { EMPTY, jsonbBytes, SEPARATOR } from '../../db/jsonb-binary.ts';

/** Reverses a change. */
export type Undo = () => void;

/** Marks a removed value: closing the gap each time would be quadratic. */
const GONE = Symbol('gone');

/**
 * A list to which values are added, and from which they are removed, many times, each time at the cost of these values
 * alone.
 */
export class ValueList {
  readonly #values: unknown[] = [];
  /** The indices of each value, by `canonical`. */
  readonly #indices = new Map<string, number[]>();
  #length = 0;
  /** Size of the values, each including the separator after it. */
  #bytes = 0;

  constructor(values: readonly unknown[]) {
    for (const value of values) this.#push(canonical(value), value);
  }

  get length(): number {
    return this.#length;
  }

  /** Size as jsonb prints it. */
  get bytes(): number {
    return Math.max(EMPTY, this.#bytes);
  }

  /** Adds the values that it lacks. Pushes the reversal to `undos` if anything changed. */
  append(values: readonly unknown[], undos: Undo[]): void {
    const added: string[] = [];
    for (const value of values) {
      const key = canonical(value);
      if (this.#indices.has(key)) continue;
      this.#push(key, value);
      added.push(key);
    }
    if (added.length === 0) return;
    undos.push(() => {
      for (const key of added) this.#indices.delete(key);
      for (const value of this.#values.splice(-added.length)) this.#count(-1, value);
    });
  }

  /** Removes every value that is equal to one of these. */
  unappend(values: readonly unknown[], undos: Undo[]): void {
    const removed: { key: string; indices: number[]; values: unknown[] }[] = [];
    for (const value of values) {
      const key = canonical(value);
      const indices = this.#indices.get(key);
      if (!indices) continue;
      this.#indices.delete(key);
      removed.push({ key, indices, values: indices.map((index) => this.#values[index]) });
      for (const index of indices) this.#remove(index);
    }
    if (removed.length === 0) return;
    undos.push(() => {
      for (const { key, indices, values } of removed) {
        this.#indices.set(key, indices);
        indices.forEach((index, i) => {
          this.#values[index] = values[i];
          this.#count(1, values[i]);
        });
      }
    });
  }

  toArray(): unknown[] {
    return this.#values.filter((value) => value !== GONE);
  }

  #push(key: string, value: unknown): void {
    const indices = this.#indices.get(key);
    if (indices) indices.push(this.#values.length);
    else this.#indices.set(key, [this.#values.length]);
    this.#values.push(value);
    this.#count(1, value);
  }

  #remove(index: number): void {
    this.#count(-1, this.#values[index]);
    this.#values[index] = GONE;
  }

  #count(times: 1 | -1, value: unknown): void {
    this.#length += times;
    this.#bytes += times * (jsonbBytes(value) + SEPARATOR);
  }
}

/**
 * Returns the same text for equal values, whatever the order of their keys: comparing each with each would be
 * quadratic.
 */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
