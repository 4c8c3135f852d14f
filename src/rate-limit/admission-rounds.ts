/** Requests of one subject that arrived together: one call of Redis decides about all. */
export interface Group<Verdict> {
  subject: string;
  limit: number;
  /** Told the verdict on all, and the place among them; undefined if there is none. */
  waiting: ((verdict: Verdict | undefined, index: number) => void)[];
}

/** Decides about all requests of a turn of the event loop, then about those that arrived while Redis was asked. */
export class AdmissionRounds<Verdict> {
  readonly #decide: (group: Group<Verdict>) => Promise<Verdict | undefined>;
  #groups = new Map<string, Group<Verdict>>();
  #isDeciding = false;

  /** `decide` must not reject. */
  constructor(decide: (group: Group<Verdict>) => Promise<Verdict | undefined>) {
    this.#decide = decide;
  }

  add(subject: string, limit: number, settle: (verdict: Verdict | undefined, index: number) => void): void {
    const group = this.#groups.get(subject) ?? { subject, limit, waiting: [] };
    this.#groups.set(subject, group);
    group.waiting.push(settle);
    if (!this.#isDeciding) this.#decideSoon();
  }

  #decideSoon(): void {
    this.#isDeciding = true;
    setImmediate(async () => {
      const groups = this.#groups;
      this.#groups = new Map();
      await Promise.all(Array.from(groups.values(), (group) => this.#decideGroup(group)));
      if (this.#groups.size > 0) this.#decideSoon();
      else this.#isDeciding = false;
    });
  }

  async #decideGroup(group: Group<Verdict>): Promise<void> {
    const verdict = await this.#decide(group);
    for (const [index, settle] of group.waiting.entries()) settle(verdict, index);
  }
}
