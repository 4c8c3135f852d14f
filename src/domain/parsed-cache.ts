/**
 * What was parsed of JSON that never changes, by its key. The oldest goes once the JSON of all is too long, so that nobody
 * may rely on anything being there. What a transaction has read belongs here only once that is committed, if it may have
 * read what it has itself written.
 */
export class ParsedCache<Value> {
  readonly #values = new Map<string, { value: Value; characters: number }>();
  readonly #maxCharacters: number;
  #characters = 0;

  /** `maxCharacters`: of JSON, as it was before it was parsed. */
  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key)?.value;
  }

  keep(key: string, value: Value, characters: number): void {
    this.#characters += characters - (this.#values.get(key)?.characters ?? 0);
    this.#values.set(key, { value, characters });
    for (const [oldest, entry] of this.#values) {
      if (this.#characters <= this.#maxCharacters) return;
      this.#values.delete(oldest);
      this.#characters -= entry.characters;
    }
  }
}
