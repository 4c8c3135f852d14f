type Value = string | number | null;

export interface CsvFile {
  name: string;
  header: readonly string[];
  rows: (signal: AbortSignal) => AsyncIterable<readonly Value[]>;
}

/** What spreadsheets take for the beginning of a formula; some do so with full-width signs too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** Characters that are written at once. */
const CHUNK = 64 * 1024;

/** Of the browsers that have it; TypeScript knows it not yet. */
type Picker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

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

interface Sink {
  write(text: string): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** Has to be called before anything is waited for: browsers ask only just after a click. */
async function openSink(name: string): Promise<Sink> {
  const pick = (window as { showSaveFilePicker?: Picker }).showSaveFilePicker;
  return pick ? (await pick({ suggestedName: fileName(name) })).createWritable() : collect(fileName(name));
}

/** Each chunk is handed to the browser, which may keep it on disk. */
function collect(name: string): Sink {
  const parts: Blob[] = [];
  return {
    write: async (text) => void parts.push(new Blob([text])),
    async close() {
      const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
      Object.assign(document.createElement('a'), { href: url, download: name }).click();
      URL.revokeObjectURL(url);
    },
    abort: async () => void parts.splice(0),
  };
}

/** Without what no file may be called. */
function fileName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
  return name.replaceAll(/[\x00-\x1f\x7f<>:"/\\|?*~]/g, '_').replace(/^\./, '_');
}

function line(values: readonly Value[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: Value): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
