import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import type { TemplateDraft } from '../domain/templates/draft.ts';
import { findTemplate } from '../domain/templates/find-templates.ts';
import { problemsOf } from '../domain/templates/problems-of.ts';
import type { TemplateTools } from '../domain/templates/template-tools.ts';
import type { Handler } from '../http/handler.ts';
import { existingTemplate, renderTemplateBody, templateId } from './representations/template.ts';
import { outsideOf } from './template-tools.ts';

export function getTemplate(stores: StoreData, tools: TemplateTools): Handler<Operations, 'getTemplate'> {
  return async ({ request, caller: { storeId }, deadline }) => {
    const db = stores.of(storeId);
    const id = templateId(request.path.id);
    const template = existingTemplate(await findTemplate(db, storeId, id));
    const draft = template.draft.parse<TemplateDraft>();
    const problems = await problemsOf((work) => work(db), outsideOf(deadline, tools), { storeId, id, draft });
    return { status: 200, body: renderTemplateBody(template, problems) };
  };
}
