import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import { checkParsable, type RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { isId } from '../../../ids/uuid-v7.ts';
import type { TemplateDraft, TemplateKind, TemplateUse } from '../draft.ts';
import { MAX_PARTS, type Part, type Parts, partsNamed } from './part.ts';

/** In which parts are looked for: one for the layout and one for each depth. */
const MAX_ROUNDS = 6;

interface Row {
  id: string;
  name: string;
  kind: TemplateKind;
  use: TemplateUse;
  isArchived: boolean;
  number: number | null;
  draft: RawJson | null;
}

/**
 * Reads the layout and the snippets that a draft leads to, as they were published last. With `copied`, those that a version
 * has, by the ids of their templates, whatever became of these.
 */
export async function readParts(
  db: Sql,
  storeId: string,
  draft: TemplateDraft,
  copied?: Readonly<Record<string, number>>,
): Promise<Parts> {
  const numbers = copied === undefined ? null : JSON.stringify(copied);
  const found = new Map<string, Part | 'too_many'>();
  const asked = new Set<string>();
  let wanted = partsNamed(draft);
  const texts: object[] = [];
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const others = new Set(wanted.filter((id) => isId(id) && !asked.has(id)));
    const ids = [...others].slice(0, MAX_PARTS - asked.size);
    for (const id of others) if (!ids.includes(id)) found.set(id, 'too_many');
    if (ids.length === 0) break;
    for (const id of ids) asked.add(id);
    const { rows } = await sql<Row>`
      select t.id, t.name, t.kind, t.use, t.status = 'archived' and ${numbers}::jsonb is null as "isArchived", v.number, v.draft
      from template t
      left join template_version v on v.store_id = t.store_id and v.template_id = t.id
        and v.number = coalesce((${numbers}::jsonb ->> t.id::text)::int, t.version)
      where t.store_id = ${storeId} and t.id = any(${uuids(ids)}::uuid[])`.execute(db);
    texts.push(...rows.flatMap((row) => row.draft ?? []));
    checkParsable(texts);
    const parts = rows.map(toPart);
    for (const part of parts) found.set(part.id, part);
    wanted = parts.flatMap(({ version }) => (version ? partsNamed(version.draft) : []));
  }
  return found;
}

function toPart({ number, draft, ...part }: Row): Part {
  const isPublished = number !== null && draft !== null;
  return { ...part, version: isPublished ? { number, draft: draft.parse<TemplateDraft>() } : null };
}
