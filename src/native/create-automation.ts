import type { Operations } from '../../generated/native/operations.gen.ts';
import { createAutomation as create } from '../domain/automations/drafts.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderAutomation, toDefinition } from './representations/automation.ts';

export function createAutomation(writing: WithConnection): Handler<Operations, 'createAutomation'> {
  return async ({ request, caller }) => {
    const definition = toDefinition(request.body.definition);
    const automation = await writing(caller.storeId, (db) => create(db, caller, definition));
    return { status: 201, body: renderAutomation(automation, definition) };
  };
}
