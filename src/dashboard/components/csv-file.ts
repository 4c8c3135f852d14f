export type Value = string | number | null;

/** A file of comma-separated values, whose rows come one after the other. */
export interface CsvFile {
  name: string;
  header: readonly string[];
  rows: (signal: AbortSignal) => AsyncIterable<readonly Value[]>;
}
