import type { Operations } from '../../generated/native/operations.gen.ts';
import { deleteAutomation as remove } from '../domain/automations/delete-automation.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { automationId, existing } from './get-automation.ts';
import { renderAutomation } from './representations/automation.ts';

export function deleteAutomation(writing: WithConnection): Handler<Operations, 'deleteAutomation'> {
  return async ({ request, caller: { storeId } }) => {
    const id = automationId(request.path.id);
    const deleted = await writing(storeId, (db) => remove(db, storeId, id));
    return { status: 200, body: renderAutomation(existing(deleted)) };
  };
}
