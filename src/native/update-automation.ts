import type { Operations } from '../../generated/native/operations.gen.ts';
import { reviseAutomation } from '../domain/automations/drafts.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { automationId, existing } from './get-automation.ts';
import { renderAutomation, toDefinition } from './representations/automation.ts';

export function updateAutomation(writing: WithConnection): Handler<Operations, 'updateAutomation'> {
  return async ({ request, caller }) => {
    const id = automationId(request.path.id);
    const { revision } = request.body;
    const definition = toDefinition(request.body.definition);
    const automation = await writing(caller.storeId, (db) =>
      reviseAutomation(db, caller, { id, revision, definition }),
    );
    return { status: 200, body: renderAutomation(existing(automation)) };
  };
}
