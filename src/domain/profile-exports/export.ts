import { asCsv } from './as-csv.ts';
import { asJson } from './as-json.ts';
import type { Read } from './pages.ts';
import { type Exported, isUnchanged } from './subject.ts';
import { zip } from './zip.ts';

/** One JSON object, or a zip archive of CSV files. */
export type ExportFormat = 'json' | 'zip';

/**
 * Writes everything that a store holds of a customer, as `findExported` finds them, in constant memory. Throws in the middle if the
 * customer is erased or merged meanwhile, or the database fails: what looks whole is whole.
 */
export async function* exportProfile(read: Read, of: Exported, format: ExportFormat): AsyncGenerator<Buffer> {
  let last: Buffer | undefined;
  for await (const bytes of write(read, of, format)) {
    if (last) yield last;
    last = bytes;
  }
  // Without the last bytes it is not whole.
  if (!(await read((db) => isUnchanged(db, of))))
    throw new Error('A customer was erased or merged while being exported');
  yield last as Buffer;
}

async function* write(read: Read, of: Exported, format: ExportFormat): AsyncGenerator<Buffer> {
  const now = new Date();
  if (format === 'zip') yield* zip(asCsv(read, of), now);
  else for await (const text of asJson(read, of, now)) yield Buffer.from(text);
}
