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
  readonly #places = new Map<string, number[]>();
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
      if (this.#places.has(key)) continue;
      this.#push(key, value);
      added.push(key);
    }
    if (added.length === 0) return;
    undos.push(() => {
      for (const key of added) this.#places.delete(key);
      for (const value of this.#values.splice(-added.length)) this.#count(-1, value);
    });
  }

  /** Removes every value that is equal to one of these. */
  unappend(values: readonly unknown[], undos: Undo[]): void {
    const removed: { key: string; places: number[]; values: unknown[] }[] = [];
    for (const value of values) {
      const key = canonical(value);
      const places = this.#places.get(key);
      if (!places) continue;
      this.#places.delete(key);
      removed.push({ key, places, values: places.map((place) => this.#values[place]) });
      for (const place of places) this.#remove(place);
    }
    if (removed.length === 0) return;
    undos.push(() => {
      for (const { key, places, values } of removed) {
        this.#places.set(key, places);
        places.forEach((place, i) => {
          this.#values[place] = values[i];
          this.#count(1, values[i]);
        });
      }
    });
  }

  toArray(): unknown[] {
    return this.#values.filter((value) => value !== GONE);
  }

  #push(key: string, value: unknown): void {
    const places = this.#places.get(key);
    if (places) places.push(this.#values.length);
    else this.#places.set(key, [this.#values.length]);
    this.#values.push(value);
    this.#count(1, value);
  }

  #remove(place: number): void {
    this.#count(-1, this.#values[place]);
    this.#values[place] = GONE;
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
