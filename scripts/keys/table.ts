import { printable } from '../../src/domain/printable.ts';

/**
 * Formats rows under headings, in columns as wide as their contents; null is a dash. All rows must have the same names.
 */
export function toTable(rows: Record<string, string | null>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => printable(row[name] ?? '-')))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)));
  const padded = (text: string, column: number) => text.padEnd(widths[column] as number);
  return lines.map((line) => line.map(padded).join('  ').trimEnd()).join('\n');
}
