import { checkFreeForm } from '../../free-form.ts';
import { canonicalIdentifiers, isEmail, isPhone, shownAs } from '../../identifiers.ts';
import { exactNumber, isNumber } from '../../lossless-json.ts';
import { clip } from '../../service-error.ts';
import type { Draft } from '../../write/draft.ts';
import type { ImportIdentifier } from './column-names.ts';
import type { PlannedColumn, ValueType } from './columns.ts';
import type { ImportedConsent, Plan } from './customer-import.ts';
import { readDate } from './dates.ts';
import type { RowError } from './find-imports.ts';
import { type CsvRow, isBlank } from './read-rows.ts';
import { type RowChoice, readChoices } from './row-choices.ts';
import { toError } from './row-error.ts';

const MAX_EXTERNAL_ID = 255;

const IS_IDENTIFIER: Record<ImportIdentifier, (text: string) => boolean> = {
  email: isEmail,
  phone: isPhone,
  external_id: (text) => [...text].length <= MAX_EXTERNAL_ID,
  source_id: (text) => [...text].length <= MAX_EXTERNAL_ID,
};

const PROBLEM_OF_IDENTIFIER: Record<ImportIdentifier, string> = {
  email: 'must be an e-mail address of at most 254 characters',
  phone: 'must be a telephone number: an optional + and 5 to 15 digits',
  external_id: `must not be longer than ${MAX_EXTERNAL_ID} characters`,
  source_id: `must not be longer than ${MAX_EXTERNAL_ID} characters`,
};

/** In files for spreadsheets, an apostrophe is before what these would take for the beginning of a formula. */
const APOSTROPHE = /^'(?=[=+\-@＝＋－＠])/;

const READ_VALUE: Record<ValueType, (text: string) => string | number | boolean | undefined> = {
  text: (text) => text,
  number: exactNumber,
  boolean: (text) => {
    const word = text.trim().toLowerCase();
    if (/^(?:true|yes|1)$/.test(word)) return true;
    return /^(?:false|no|0)$/.test(word) ? false : undefined;
  },
  date_ymd: (text) => readDate('date_ymd', text),
  date_dmy: (text) => readDate('date_dmy', text),
  date_mdy: (text) => readDate('date_mdy', text),
};

const PROBLEM_OF_VALUE: Record<ValueType, string> = {
  text: 'must be a text',
  number: 'must be a number with a point, and without a separator of thousands',
  boolean: 'must be true or false, yes or no, 1 or 0',
  date_ymd: 'must be a date such as 2026-12-31',
  date_dmy: 'must be a date such as 31.12.2026',
  date_mdy: 'must be a date such as 12/31/2026',
};

function problemOfValue(type: ValueType, text: string): string {
  return type === 'number' && isNumber(text)
    ? 'is a number that would lose digits; map the column as text to keep them'
    : PROBLEM_OF_VALUE[type];
}

/** What a row asks for: a change of a profile, and what its customer has chosen. */
export interface ReadRow {
  draft: Draft;
  choices: RowChoice[];
}

/** Returns what a row asks for, or what is wrong with it. `line` is that of the row in its file, `consent` that of all rows. */
export function readRow(
  { cells, problem }: CsvRow,
  line: number,
  { columns, width, country = null }: Plan,
  consent: ImportedConsent | null,
): ReadRow | RowError {
  if (problem !== undefined) return toError(line, problem);
  if (cells.slice(width).some((cell) => !isBlank(cell)))
    return toError(line, `has ${cells.length} values, but the first line has ${width}`);
  const given: { [Kind in ImportIdentifier]?: string } = {};
  const set: Record<string, string | number | boolean> = {};
  for (const column of columns) {
    // Spreadsheets leave off empty cells at the end of a row.
    const text = cells[column.index] ?? '';
    if (isBlank(text)) continue;
    if (column.identifier !== undefined) {
      const value = withoutApostrophe(text);
      if (!IS_IDENTIFIER[column.identifier](value))
        return toError(line, PROBLEM_OF_IDENTIFIER[column.identifier], column, text);
      given[column.identifier] = value;
    } else if (column.attribute !== undefined) {
      const { type = 'text' } = column;
      const value = READ_VALUE[type](text);
      if (value === undefined) return toError(line, problemOfValue(type, text), column, text);
      set[column.attribute] = value;
    }
  }
  if (Object.keys(given).length === 0) {
    const names = columns.flatMap(({ column, identifier }) =>
      identifier === undefined ? [] : [`"${clip(column, 100)}"`],
    );
    return toError(line, `has no value in ${names.join(' or ')}`);
  }
  const violation = checkFreeForm(set);
  if (violation) {
    const column = columns.find(({ attribute }) => attribute === violation.path[0]) as PlannedColumn;
    return toError(line, violation.problem, column, cells[column.index]);
  }
  const choices = readChoices(columns, cells, line, consent);
  if ('problem' in choices) return choices;
  const identifiers = canonicalIdentifiers(given, country);
  return { draft: { identifiers, patch: { set }, onIdentifierConflict: 'refuse' }, choices };
}

/** Returns what a value of an identifier's column becomes, as it is shown; undefined if it can't be read. */
export function readIdentifier(kind: ImportIdentifier, text: string, country: string | null): string | undefined {
  const identifiers = canonicalIdentifiers({ [kind]: withoutApostrophe(text) }, country);
  const value = identifiers[kind];
  return value === undefined ? undefined : shownAs(identifiers, kind, value);
}

function withoutApostrophe(text: string): string {
  return text.trim().replace(APOSTROPHE, '');
}
