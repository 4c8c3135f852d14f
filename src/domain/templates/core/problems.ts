import type { TemplateProblem } from './compiled.ts';

/** What is wrong in a text, and at which of its characters; null where it is wrong as a whole. */
export interface Finding {
  severity?: 'error' | 'warning';
  code: string;
  message: string;
  at: number | null;
}

export type Report = (finding: Finding) => void;

/** Problems of one text that somebody reads through: more of them would help nobody. */
const MAX_PROBLEMS = 50;

/** Collects what is wrong in the texts of a template. */
export class Problems {
  readonly all: TemplateProblem[] = [];

  get hasErrors(): boolean {
    return this.all.some(({ severity }) => severity === 'error');
  }

  /** Returns what takes the findings of a text; each place is found wrong once. `isAsWritten`: its lines mean something. */
  in(field: string, source: string, isAsWritten = true): Report {
    let count = 0;
    return ({ severity = 'error', code, message, at }) => {
      const { line, column } = at === null || !isAsWritten ? { line: null, column: null } : placeOf(source, at);
      const isKnown = this.all.some(
        (one) =>
          one.field === field &&
          one.code === code &&
          one.message === message &&
          one.line === line &&
          one.column === column,
      );
      if (isKnown) return;
      count += 1;
      // What keeps it from being published is never left out.
      if (count > MAX_PROBLEMS && (severity === 'warning' || this.hasErrors)) return;
      this.all.push({ severity, code, message, field, line, column });
    };
  }
}

/** Returns the line and column of a character, from 1. */
export function placeOf(text: string, at: number): { line: number; column: number } {
  let [line, start] = [1, 0];
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: at - start + 1 };
}
