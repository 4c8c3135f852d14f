import type { Operations } from '../../generated/native/operations.gen.ts';
import { testTemplate as test } from '../domain/messages/test-template.ts';
import type { SenderTools } from '../domain/senders/tools.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { TemplateTools } from '../domain/templates/template-tools.ts';
import type { Handler } from '../http/handler.ts';
import { asAsked } from './render-template.ts';
import { renderTest } from './representations/sender.ts';
import { existingTemplate } from './representations/template.ts';
import { outsideOf } from './template-tools.ts';

export function testTemplate(
  writing: WithConnection,
  templates: TemplateTools,
  senders: SenderTools,
): Handler<Operations, 'testTemplate'> {
  return async ({ request: { path, body }, caller, deadline }) => {
    const { to, sender_id: senderId, ...more } = body;
    const asked = await asAsked(writing, caller, path.id, more);
    const request = { ...asked.request, to, senderId: senderId?.toLowerCase() ?? asked.senderId };
    const tools = { templates: outsideOf(deadline, templates), senders };
    const tested = await test(writing, caller, request, tools, (work) => deadline.except(work));
    return { status: 200, body: renderTest(existingTemplate(tested)) };
  };
}
