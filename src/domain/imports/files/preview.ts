import type { Sql } from '../../../db/orm.ts';
import type { Attributes } from '../../attributes/attributes.ts';
import type { Caller } from '../../caller.ts';
import type { Identifiers } from '../../identifiers.ts';
import {
  checkMapping,
  type Delimiter,
  HEADER_BYTES,
  type ImportColumn,
  planColumns,
  readHeader,
  suggestMapping,
} from './columns.ts';
import type { RowError } from './find-imports.ts';
import { findImport } from './find-imports.ts';
import { expectOpen, readBeginning } from './parts.ts';
import { readRows } from './read-rows.ts';
import type { RowChoice } from './row-choices.ts';
import { shorten } from './row-error.ts';
import { readIdentifier, readRow } from './rows.ts';

/** What a row would write, or what is wrong with it. */
export type PreviewRow = { line: number } & (
  | { identifiers: Identifiers; attributes: Attributes; choices: RowChoice[]; error: null }
  | { identifiers: null; attributes: null; choices: null; error: RowError }
);

export interface PreviewColumn {
  column: string;
  sample: string | null;
  suggestion: ImportColumn | null;
  /** What the sample becomes as the identifier that the column is; null if it is none, or can't be read. */
  becomes: string | null;
}

export interface Preview {
  delimiter: Delimiter;
  columns: PreviewColumn[];
  mapping: ImportColumn[];
  rows: PreviewRow[];
}

const MAX_ROWS = 20;

/**
 * Reads the beginning of the file of an import; `given` takes the place of its mapping. Undefined if the store has no
 * such import. Throws `validation_error` if it is started, or for a mapping or a file that can't be.
 */
export async function previewImport(
  db: Sql,
  { storeId, country }: Caller,
  id: string,
  given: ImportColumn[] | undefined,
): Promise<Preview | undefined> {
  const found = await findImport(db, storeId, id);
  if (!found) return undefined;
  expectOpen(found.state);
  if (given) checkMapping(given);
  const text = await readBeginning(db, storeId, found, HEADER_BYTES);
  const header = readHeader(text, found.delimiter);
  const { delimiter, columns } = header;
  const isEnd = text.length < HEADER_BYTES;
  const width = columns.length;
  const rest = text.subarray(header.end);
  const read = readRows(rest, { delimiter, maxRows: MAX_ROWS, isEnd, width }).rows;
  // A row that goes on beyond what was read is not broken.
  const shown = read.filter(({ end, problem }) => isEnd || problem === undefined || end < rest.length);
  const cells = shown.map((row) => row.cells);
  const suggestions = suggestMapping(columns, cells);
  const mapping = given ?? found.mapping ?? suggestions.filter((one) => one !== null);
  const hasIdentifier = mapping.some(({ identifier }) => identifier !== undefined);
  const plan = { columns: planColumns(header, mapping), width, country };
  return {
    delimiter,
    columns: columns.map((column, i) => {
      const sample = cells.map((values) => values[i] ?? '').find((value) => value.trim() !== '');
      const mapped = plan.columns.find(({ index }) => index === i)?.identifier;
      return {
        column,
        sample: sample === undefined ? null : shorten(sample),
        suggestion: suggestions[i] ?? null,
        becomes: (sample && mapped && readIdentifier(mapped, sample, country)) ?? null,
      };
    }),
    mapping,
    rows: hasIdentifier
      ? shown.map((row): PreviewRow => {
          const line = 1 + header.lines + row.line;
          const read = readRow(row, line, plan, found.consent);
          if ('problem' in read) return { line, identifiers: null, attributes: null, choices: null, error: read };
          const { draft, choices } = read;
          return { line, identifiers: draft.identifiers, attributes: draft.patch?.set ?? {}, choices, error: null };
        })
      : [],
  };
}
