import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import { checkParsable, type RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { isId } from '../../../ids/uuid-v7.ts';
import type { TemplateDraft, TemplateKind, TemplateUse } from '../draft.ts';
import { type Part, type Parts, partsNamed } from './part.ts';

/** Rounds in which parts are looked for, one for the layout and one for each depth; and how many there may be. */
const [MAX_ROUNDS, MAX_PARTS] = [6, 100];

interface Row {
  id: string;
  name: string;
  kind: TemplateKind;
  use: TemplateUse;
  isArchived: boolean;
  number: number | null;
  draft: RawJson | null;
}

/** Reads the layout and the snippets that a draft leads to, as they were published last; of very many, only some. */
export async function readParts(db: Sql, storeId: string, draft: TemplateDraft): Promise<Parts> {
  const found = new Map<string, Part>();
  const asked = new Set<string>();
  let wanted = partsNamed(draft);
  const texts: object[] = [];
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const ids = wanted.filter((id) => isId(id) && !asked.has(id)).slice(0, MAX_PARTS - asked.size);
    if (ids.length === 0) break;
    for (const id of ids) asked.add(id);
    const { rows } = await sql<Row>`
      select t.id, t.name, t.kind, t.use, t.status = 'archived' as "isArchived", v.number, v.draft
      from template t
      left join template_version v on v.store_id = t.store_id and v.template_id = t.id and v.number = t.version
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
