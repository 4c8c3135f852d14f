import type { TemplateProblem } from '../core/compiled.ts';
import { type Origin, placeOf } from './resolved-text.ts';

/** Problems that are kept. */
const MAX_FINDINGS = 100;

/** What is wrong with a draft and with what is copied into it, each thing once. */
export class Findings {
  readonly #found = new Map<string, TemplateProblem>();

  get all(): TemplateProblem[] {
    return [...this.#found.values()];
  }

  /** Adds an error of a field as a whole. */
  add(field: string, code: string, message: string): void {
    this.#keep({ severity: 'error', code, message, field, line: null, column: null });
  }

  /** Adds an error of a text of the draft, where it was written. */
  addOf(field: string, origin: Origin, code: string, message: string): void {
    if (this.#found.size >= MAX_FINDINGS) return;
    this.#keep(placed({ severity: 'error', code, message, field, line: null, column: null }, origin));
  }

  #keep(problem: TemplateProblem): void {
    if (this.#found.size < MAX_FINDINGS) this.#found.set(JSON.stringify(problem), problem);
  }
}

/** Returns a problem with its place in the draft; of what is copied, it says where that is. */
export function placed(problem: TemplateProblem, { source, offset, tag }: Origin): TemplateProblem {
  const place = placeOf({ source, offset });
  if (source.of === null) return { ...problem, ...place };
  const message = `In ${source.of}, line ${place.line}: ${problem.message}`;
  if (tag === null) return { ...problem, message, field: 'layout_id', line: null, column: null };
  return { ...problem, message, ...placeOf(tag) };
}
