import type { Operations } from '../../generated/native/operations.gen.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { publishTemplate as publish } from '../domain/templates/publish.ts';
import type { TemplateTools } from '../domain/templates/template-tools.ts';
import type { Handler } from '../http/handler.ts';
import { existingTemplate, renderPublished, templateId } from './representations/template.ts';
import { outsideOf } from './template-tools.ts';

export function publishTemplate(writing: WithConnection, tools: TemplateTools): Handler<Operations, 'publishTemplate'> {
  return async ({ request, caller, deadline }) => {
    const publication = { id: templateId(request.path.id), revision: request.body.revision };
    const published = await publish(writing, outsideOf(deadline, tools), caller, publication);
    return { status: 200, body: renderPublished(existingTemplate(published)), isRepeatable: true };
  };
}
