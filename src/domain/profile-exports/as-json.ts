import { gathered } from './gathered.ts';
import { type Read, readSection } from './pages.ts';
import { SECTIONS } from './rules.ts';
import type { Section } from './section.ts';
import type { Exported } from './subject.ts';

/** Writes an export as one JSON object: a member for each section, an array but for the profile. */
export function asJson(read: Read, of: Exported, exportedAt: Date): AsyncGenerator<string> {
  return gathered(textsOf(read, of, exportedAt));
}

async function* textsOf(read: Read, of: Exported, exportedAt: Date): AsyncGenerator<string> {
  yield `{"exported_at":${JSON.stringify(exportedAt)},"profile_id":"${of.profileId}"`;
  for (const section of SECTIONS) yield* sectionAsJson(read, of, section);
  yield '}\n';
}

async function* sectionAsJson(read: Read, of: Exported, section: Section): AsyncGenerator<string> {
  const names = Object.keys(section.columns).map((name) => [name, JSON.stringify(name)] as const);
  yield `,\n"${section.name}":${section.isSingle ? '' : '['}`;
  let before = '\n';
  for await (const rows of readSection(read, of, section)) {
    // Something is to be sent, however much is looked through.
    if (rows.length === 0) yield ' ';
    for (const row of rows) {
      const members = names.map(([name, quoted]) => `${quoted}:${row[name] ?? 'null'}`);
      yield `${section.isSingle ? '' : before}{${members.join(',')}}`;
      before = ',\n';
    }
  }
  if (!section.isSingle) yield ']';
}
