import type { CsvFile, Value } from './csv-file.ts';
import { openSink } from './save-file.ts';

/** What spreadsheets take for the beginning of a formula; some do so with full-width signs too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** Characters that are written at once. */
const CHUNK = 64 * 1024;

/**
 * Makes a file of rows as they come. Where the browser can, it asks where to save the file and writes as it goes;
 * otherwise it is saved at the end. Cells that a spreadsheet would run are quoted. `onRows` is told how many there are.
 * Throws an `AbortError` if the person gives it up.
 */
export async function downloadCsv(
  { name, header, rows }: CsvFile,
  signal: AbortSignal,
  onRows: (count: number) => void,
): Promise<void> {
  const sink = await openSink(name);
  try {
    let waiting = line(header);
    let count = 0;
    for await (const row of rows(signal)) {
      waiting += line(row);
      count += 1;
      if (waiting.length < CHUNK) continue;
      await sink.write(waiting);
      waiting = '';
      onRows(count);
    }
    signal.throwIfAborted();
    await sink.write(waiting);
    await sink.close();
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

function line(values: readonly Value[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: Value): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
