/** Collects when something was last used, to be written periodically rather than with every request. */
export class LastUsed {
  readonly #at = new Map<string, Date>();
  readonly #write: (used: [id: string, at: Date][]) => Promise<void>;

  constructor(write: (used: [id: string, at: Date][]) => Promise<void>) {
    this.#write = write;
  }

  set(id: string, at: Date): void {
    this.#at.set(id, at);
  }

  /** Writes what there is. Keeps the times if that fails. */
  async flush(): Promise<void> {
    const used = [...this.#at];
    this.#at.clear();
    if (used.length === 0) return;
    try {
      await this.#write(used);
    } catch (error) {
      for (const [id, at] of used) if (!this.#at.has(id)) this.#at.set(id, at);
      throw error;
    }
  }
}
