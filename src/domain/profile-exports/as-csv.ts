import { csvLine, textCell } from '../csv.ts';
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
  yield csvLine(names);
  for await (const rows of readSection(read, of, section)) {
    for (const row of rows) yield csvLine(names.map((name) => cellOf(row[name] ?? null)));
  }
}

/** A text without its quotes, anything else as the JSON that it is: numbers keep their digits. */
function cellOf(json: string | null): string {
  if (json === null || json === 'null') return '';
  if (!json.startsWith('"')) return json;
  return textCell(JSON.parse(json) as string);
}
