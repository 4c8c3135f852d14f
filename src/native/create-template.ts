import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { createTemplate as create, expectStorable } from '../domain/templates/drafts.ts';
import type { TemplateWithDraft } from '../domain/templates/find-templates.ts';
import { problemsOf } from '../domain/templates/problems-of.ts';
import type { TemplateTools } from '../domain/templates/template-tools.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderTemplateBody, toDraft } from './representations/template.ts';
import { outsideOf } from './template-tools.ts';

export function createTemplate(writing: WithConnection, tools: TemplateTools): Handler<Operations, 'createTemplate'> {
  return async ({ request, caller, deadline }) => {
    const { storeId } = caller;
    const draft = toDraft(request.body);
    expectStorable(caller, draft);
    const problems = await problemsOf((work) => writing(storeId, work), outsideOf(deadline, tools), { storeId, draft });
    return await performOnce(
      caller,
      { operation: 'createTemplate', key: request.body.idempotency_key, request },
      {
        perform: (once: Once<TemplateWithDraft>) => writing(storeId, (db) => create(db, caller, draft, once)),
        answer: (template) => ({ status: 201 as const, body: renderTemplateBody(template, problems) }),
      },
    );
  };
}
