import type { NextStep } from '../../../../client/index.ts';
import type { AutomationDefinition, AutomationStep } from '../../../definitions.ts';
import { exitsOf } from './exits.ts';

/** Steps one below the other. */
export interface OutlinedRow {
  steps: OutlinedStep[];
  /** What follows the last one; undefined where that says it by itself. */
  ending: Ending | undefined;
}

export interface OutlinedStep {
  step: AutomationStep;
  /** Its place among the `steps` of the definition. */
  index: number;
  /** Where it can go several ways: each with the steps that only it leads to. */
  branches: (OutlinedRow & { label: string })[];
}

export type Ending = { type: 'end' | 'below' } | { type: 'step' | 'missing'; id: string };

export interface Outline extends OutlinedRow {
  /** Steps that nothing leads to. */
  unreached: OutlinedStep[];
}

/**
 * The steps of a definition as a list with indented branches, each step once. Branches that come together go on below
 * their step; of those that do not, the usual way does.
 */
export function outlineOf({ start, steps }: Pick<AutomationDefinition, 'start' | 'steps'>): Outline {
  const outliner = new Outliner(steps);
  const row = outliner.row(start || null, new Set(), undefined);
  const unreached = steps.flatMap(({ id }) => outliner.row(id, new Set(), undefined).steps);
  return { ...row, unreached };
}

type Ids = ReadonlySet<string>;
const NONE: Ids = new Set();

class Outliner {
  readonly #steps: ReadonlyMap<string, { step: AutomationStep; index: number }>;
  readonly #shown = new Set<string>();
  readonly #reached = new Map<string, Ids>();
  readonly #always = new Map<string, Ids>();

  constructor(steps: readonly AutomationStep[]) {
    this.#steps = new Map(steps.map((step, index) => [step.id, { step, index }]));
  }

  /** The steps from one on, until those that are shown elsewhere (`others`); `below` is where the rows around it go on. */
  row(first: NextStep, others: Ids, below: string | undefined): OutlinedRow {
    const steps: OutlinedStep[] = [];
    let next = first;
    while (next !== null) {
      const found = this.#steps.get(next);
      if (!found) return { steps, ending: { type: 'missing', id: next } };
      if (next === below) return { steps, ending: { type: 'below' } };
      if (others.has(next) || this.#shown.has(next)) return { steps, ending: { type: 'step', id: next } };
      this.#shown.add(next);
      const exits = exitsOf(found.step);
      if (found.step.type === 'exit') return { steps: [...steps, { ...found, branches: [] }], ending: undefined };
      if (isBranching(found.step)) {
        const join = this.#joinOf(found.step, others);
        const theirs = join === null ? others : new Set([...others, ...this.#reachedFrom(join)]);
        const branches = exits.map(({ label, next }) => ({ label, ...this.row(next, theirs, join ?? below) }));
        steps.push({ ...found, branches });
        if (join === null) return { steps, ending: undefined };
        next = join;
      } else {
        steps.push({ ...found, branches: [] });
        next = exits[0]?.next ?? null;
      }
    }
    return { steps, ending: { type: 'end' } };
  }

  /** Where the ways out of a step come together, or where the usual one leads; `null` if that is nowhere. */
  #joinOf(step: AutomationStep, others: Ids): string | null {
    const isFree = (id: string) => this.#steps.has(id) && !others.has(id) && !this.#shown.has(id);
    const nexts = exitsOf(step).map(({ next }) => next);
    const common = intersection(nexts.map((next) => (next === null ? NONE : this.#alwaysReached(next))));
    for (const id of common) if (isFree(id)) return id;
    const usual = nexts.at(-1) ?? null;
    return step.type !== 'split' && usual !== null && isFree(usual) ? usual : null;
  }

  #reachedFrom(id: string): Ids {
    return this.#remembered(this.#reached, id, (onwards) => onwards.flatMap((ids) => [...ids]));
  }

  /** The steps that every way from `id` comes by, the nearest first. */
  #alwaysReached(id: string): Ids {
    return this.#remembered(this.#always, id, intersection);
  }

  /** Of each step once: there are far more ways than steps. A draft may go in circles: these are cut. */
  #remembered(known: Map<string, Ids>, id: string, combine: (onwards: Ids[]) => Iterable<string>): Ids {
    const before = known.get(id);
    if (before) return before;
    known.set(id, NONE);
    const found = this.#steps.get(id);
    const onwards = found
      ? exitsOf(found.step).map(({ next }) => (next === null ? NONE : this.#remembered(known, next, combine)))
      : [];
    const ids = new Set([id, ...combine(onwards)]);
    known.set(id, ids);
    return ids;
  }
}

/** Whether a step shows its ways out below it. */
export function isBranching({ type }: AutomationStep): boolean {
  return type === 'branch' || type === 'wait' || type === 'split';
}

/** In the order of the first. */
function intersection([first = NONE, ...rest]: readonly Ids[]): string[] {
  return [...first].filter((id) => rest.every((ids) => ids.has(id)));
}
