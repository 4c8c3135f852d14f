import { FootfallError, type SegmentPreview } from '../../client/index.ts';
import type { Condition } from '../definitions.ts';
import type { Notes } from './condition-fields.tsx';
import { placesOf } from './groups.ts';

/** What is wrong with the field of a definition that an error names, by its place within it; `root`: that of the definition. */
function problemIn(error: Error | null, root: string): { path: string; text: string } | undefined {
  if (!(error instanceof FootfallError) || error.field === null) return undefined;
  const { field, message } = error;
  if (field !== root && !field.startsWith(`${root}.`)) return undefined;
  const path = field.slice(root.length + 1);
  return { path, text: message.startsWith(`${field} `) ? wordsOf(path, message.slice(field.length + 1)) : message };
}

/** “event.window.to must be later than from” by the name of its last part alone. */
function wordsOf(path: string, problem: string): string {
  const name = path
    .split('.')
    .at(-1)
    ?.replace(/\[\d+\]$/, '');
  return `${name || 'It'} ${problem}`;
}

/** Sorts errors and warnings to the conditions that they are about. An error that is about none of `root` is not among them. */
export function notesOf(
  definition: Condition,
  errors: readonly (Error | null)[],
  warnings: SegmentPreview['warnings'],
  root = 'definition',
): Notes {
  const places = placesOf(definition).sort((a, b) => b.length - a.length);
  const notes = new Map<string, { text: string; isError: boolean }[]>();
  const add = (path: string, text: string, isError: boolean) => {
    const place = places.find((own) => isWithin(path, own));
    if (place === undefined) return;
    const others = (notes.get(place) ?? []).filter((one) => one.text !== text);
    notes.set(place, [...others, { text, isError }]);
  };
  for (const error of errors) {
    const problem = problemIn(error, root);
    if (problem) add(problem.path, problem.text, true);
  }
  for (const { path, message } of warnings) add(path, wordsOf(path, message), false);
  return notes;
}

/** Whether an error is said at a condition of the form. */
export function isPlaced(shown: Condition | undefined, error: Error | null, root = 'definition'): boolean {
  const problem = problemIn(error, root);
  return problem !== undefined && shown !== undefined && placesOf(shown).some((own) => isWithin(problem.path, own));
}

function isWithin(path: string, own: string): boolean {
  return own === '' || path === own || path.startsWith(`${own}.`) || path.startsWith(`${own}[`);
}
