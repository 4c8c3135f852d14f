import { errorOf } from '../../client/error.ts';

/** Of the browsers that have it; TypeScript knows it not yet. */
type Picker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/** Where a file is written to. */
export interface Sink {
  write(piece: string | Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/**
 * Opens a file that is saved: where the browser can, it asks where, and writes as it goes; otherwise it is saved at the end. Has to
 * be called before anything is waited for: browsers ask only just after a click.
 */
export async function openSink(name: string): Promise<Sink> {
  const pick = (window as { showSaveFilePicker?: Picker }).showSaveFilePicker;
  return pick ? (await pick({ suggestedName: fileName(name) })).createWritable() : collect(fileName(name));
}

/** Each chunk is handed to the browser, which may keep it on disk. */
function collect(name: string): Sink {
  const parts: Blob[] = [];
  return {
    write: async (piece) => void parts.push(new Blob([piece])),
    async close() {
      const url = URL.createObjectURL(new Blob(parts, { type: typeOf(name) }));
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

const TYPES: Readonly<Record<string, string>> = { csv: 'text/csv', json: 'application/json', zip: 'application/zip' };

function typeOf(name: string): string {
  return TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
}

/**
 * Saves what a request is answered with, as it comes. `onBytes` is told how much there is. Throws a `FootfallError` for an answer that is
 * none; whatever breaks off is not saved.
 */
export async function saveAnswer(
  ask: (signal: AbortSignal) => Promise<Response>,
  name: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const sink = await openSink(name);
  try {
    const response = await ask(signal);
    if (!response.ok || !response.body) throw errorOf(response, await response.text());
    let bytes = 0;
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      await sink.write(value);
      bytes += value.length;
      onBytes(bytes);
    }
    await sink.close();
  } catch (error) {
    await sink.abort();
    throw error;
  }
}
