import type { ChainKind } from '../stored/chains.ts';

/** Chains that are remembered; of more, the oldest are forgotten. */
const MAX_CHAINS = 10_000;

interface Known {
  /** Events for which a place in the pace was kept. */
  paced: number;
  /** What the log says already that there was too much of. */
  logged: Set<ChainKind>;
}

/** What a process remembers of chains, by the ids of what they began with. */
export class KnownChains {
  readonly #chains = new Map<string, Known>();

  /** Returns for how many more events of a chain a place in the pace is to be kept: for `most` of them in all. */
  pace(id: string, events: number, most: number): number {
    const known = this.#of(id);
    const more = Math.min(events, most - known.paced);
    known.paced += more;
    return more;
  }

  /** Returns those chains of which the log says nothing yet, and takes it that it will. */
  unlogged(ids: Iterable<string>, kind: ChainKind): string[] {
    return [...new Set(ids)].filter((id) => {
      const { logged } = this.#of(id);
      const isNew = !logged.has(kind);
      logged.add(kind);
      return isNew;
    });
  }

  #of(id: string): Known {
    const known: Known = this.#chains.get(id) ?? { paced: 0, logged: new Set() };
    this.#chains.set(id, known);
    if (this.#chains.size > MAX_CHAINS) this.#chains.delete(this.#chains.keys().next().value as string);
    return known;
  }
}
