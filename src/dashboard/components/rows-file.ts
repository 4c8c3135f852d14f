import type { CsvFile } from './csv-file.ts';

/** Characters of the name of a file. */
const MAX_NAME = 60;

/**
 * Rows of a table as a file, each of their fields a column, by its name; what is no single value is JSON. `all` reads the rows that
 * are not shown yet, too.
 */
export function rowsFile(
  label: string,
  rows: readonly object[],
  all?: (signal: AbortSignal) => AsyncIterable<object>,
): CsvFile {
  const fields = Object.keys(rows[0] ?? {});
  const words = label.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['rows'];
  return {
    name: `${words.join('-').slice(0, MAX_NAME)}.csv`,
    header: fields,
    async *rows(signal) {
      for await (const row of all?.(signal) ?? rows) {
        yield fields.map((field) => cellOf((row as Record<string, unknown>)[field]));
      }
    },
  };
}

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
