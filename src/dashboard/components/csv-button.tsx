import type { CsvFile } from './csv-file.ts';
import { downloadCsv } from './download-csv.ts';
import { count } from './numbers.ts';
import { SaveButton } from './save-button.tsx';

/** Saves rows as a file, and says how many are in it so far; it can be given up. */
export function CsvButton({ file, children = 'Download as CSV' }: { file: CsvFile; children?: string }) {
  return (
    <SaveButton save={(signal, onRows) => downloadCsv(file, signal, onRows)} soFar={(rows) => `${count(rows)} rows`}>
      {children}
    </SaveButton>
  );
}
