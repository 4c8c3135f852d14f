import type { Sql } from '../../db/sql.ts';
import { checkDraft } from './check-draft.ts';
import type { TemplateProblem } from './core/compiled.ts';
import type { TemplateDraft } from './draft.ts';
import { partsNamed } from './parts/part.ts';
import { readParts } from './parts/read-parts.ts';
import type { TemplateTools } from './template-tools.ts';

/** Does some work on the data of the store. */
type Reading = <Result>(work: (db: Sql) => Promise<Result>) => Promise<Result>;

/** Returns what refuses the publication of a draft now, and what should be known before; errors first. */
export async function problemsOf(
  reading: Reading,
  tools: Pick<TemplateTools, 'compile'>,
  { storeId, ...draft }: { storeId: string; id?: string; draft: TemplateDraft },
): Promise<readonly TemplateProblem[]> {
  const isAlone = partsNamed(draft.draft).length === 0;
  // No connection is held while it is compiled.
  const parts = isAlone ? new Map() : await reading((db) => readParts(db, storeId, draft.draft));
  return (await checkDraft(tools, { storeId, ...draft, parts })).problems;
}
