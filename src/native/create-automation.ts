import type { Operations } from '../../generated/native/operations.gen.ts';
import type { CheckedAutomation } from '../domain/automations/checked-automation.ts';
import { createAutomation as create } from '../domain/automations/drafts.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderAutomation, toDefinition } from './representations/automation.ts';

export function createAutomation(writing: WithConnection): Handler<Operations, 'createAutomation'> {
  return async ({ request, caller }) => {
    const definition = toDefinition(request.body.definition);
    return await performOnce(
      caller,
      { operation: 'createAutomation', key: request.body.idempotency_key, request },
      {
        perform: (once: Once<CheckedAutomation>) =>
          writing(caller.storeId, (db) => create(db, caller, definition, once)),
        answer: (created) => ({ status: 201 as const, body: renderAutomation(created) }),
      },
    );
  };
}
