import type { Operations } from '../../generated/native/operations.gen.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { expectStorable, reviseTemplate } from '../domain/templates/drafts.ts';
import { problemsOf } from '../domain/templates/problems-of.ts';
import type { TemplateTools } from '../domain/templates/template-tools.ts';
import type { Handler } from '../http/handler.ts';
import { existingTemplate, renderTemplateBody, templateId, toDraft } from './representations/template.ts';
import { outsideOf } from './template-tools.ts';

export function updateTemplate(writing: WithConnection, tools: TemplateTools): Handler<Operations, 'updateTemplate'> {
  return async ({ request, caller, deadline }) => {
    const { storeId } = caller;
    const id = templateId(request.path.id);
    const draft = toDraft(request.body);
    expectStorable(caller, draft);
    const revision = { id, revision: request.body.revision, draft };
    const template = existingTemplate(await writing(storeId, (db) => reviseTemplate(db, caller, revision)));
    const problems = await problemsOf((work) => writing(storeId, work), outsideOf(deadline, tools), {
      storeId,
      id,
      draft,
    });
    return { status: 200, body: renderTemplateBody(template, problems) };
  };
}
