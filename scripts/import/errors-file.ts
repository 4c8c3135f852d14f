import { open, rename } from 'node:fs/promises';
import type { ImportError } from '../../generated/native/types.gen.ts';
import { csvLine, textCell } from '../../src/domain/csv.ts';

/** Writes the errors of an import as CSV, the whole of it or nothing. Returns how many there were. */
export async function writeErrors(
  path: string,
  pages: AsyncIterable<{ errors: Pick<ImportError, 'line' | 'column' | 'value' | 'message'>[] }>,
): Promise<number> {
  const made = `${path}.new`;
  const file = await open(made, 'w', 0o600);
  let count = 0;
  try {
    await file.write(toLine(['line', 'column', 'value', 'problem']));
    for await (const { errors } of pages) {
      const lines = errors.map(({ line, column, value, message }) => toLine([String(line), column, value, message]));
      await file.write(lines.join(''));
      count += errors.length;
    }
  } finally {
    await file.close();
  }
  await rename(made, path);
  return count;
}

function toLine(values: readonly (string | null)[]): string {
  return csvLine(values.map((value) => textCell(value ?? '')));
}
