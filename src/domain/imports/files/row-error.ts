import type { PlannedColumn } from './columns.ts';
import type { RowError } from './find-imports.ts';

/** Characters of a value that an error shows. */
const MAX_SHOWN = 200;

export function toError(line: number, problem: string, column?: PlannedColumn, text?: string): RowError {
  return {
    line,
    code: 'validation_error',
    column: column?.column ?? null,
    value: text === undefined ? null : shorten(text),
    problem,
  };
}

/** Returns the beginning of a value. */
export function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_SHOWN)];
  return characters.slice(0, MAX_SHOWN).join('').toWellFormed();
}
