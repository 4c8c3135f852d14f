import type { Operations } from '../../generated/native/operations.gen.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { archiveTemplate as archive } from '../domain/templates/archive.ts';
import type { TemplateDraft } from '../domain/templates/draft.ts';
import { problemsOf } from '../domain/templates/problems-of.ts';
import type { TemplateTools } from '../domain/templates/template-tools.ts';
import type { Handler } from '../http/handler.ts';
import { existingTemplate, renderTemplateBody, templateId } from './representations/template.ts';
import { outsideOf } from './template-tools.ts';

export function archiveTemplate(writing: WithConnection, tools: TemplateTools): Handler<Operations, 'archiveTemplate'> {
  return async ({ request, caller: { storeId }, deadline }) => {
    const id = templateId(request.path.id);
    const template = existingTemplate(await writing(storeId, (db) => archive(db, storeId, id)));
    const draft = template.draft.parse<TemplateDraft>();
    const problems = await problemsOf((work) => writing(storeId, work), outsideOf(deadline, tools), {
      storeId,
      id,
      draft,
    });
    return { status: 200, body: renderTemplateBody(template, problems), isRepeatable: true };
  };
}
