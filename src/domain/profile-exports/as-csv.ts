import { gathered } from './gathered.ts';
import { type Read, readSection } from './pages.ts';
import { SECTIONS } from './rules.ts';
import type { Section } from './section.ts';
import type { Exported } from './subject.ts';

/** A file of an archive. */
export interface ExportedFile {
  name: string;
  /** Its text, in pieces. */
  text: AsyncIterable<string>;
}

/** Writes an export as a CSV file for each section: those without rows have a header. */
export function asCsv(read: Read, of: Exported): ExportedFile[] {
  return SECTIONS.map((section) => ({ name: `${section.name}.csv`, text: gathered(linesOf(read, of, section)) }));
}

async function* linesOf(read: Read, of: Exported, section: Section): AsyncGenerator<string> {
  const names = Object.keys(section.columns);
  yield line(names);
  for await (const rows of readSection(read, of, section)) {
    for (const row of rows) yield line(names.map((name) => cellOf(row[name] ?? null)));
  }
}

/** What spreadsheets take for the beginning of a formula; some do so with full-width signs too. As files of the dashboard. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A text without its quotes, anything else as the JSON that it is: numbers keep their digits. */
function cellOf(json: string | null): string {
  if (json === null || json === 'null') return '';
  if (!json.startsWith('"')) return json;
  const text = JSON.parse(json) as string;
  return FORMULA.test(text) ? `'${text}` : text;
}

function line(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
