import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Once } from '../domain/kept-answers.ts';
import { type CreatedList, createList as create } from '../domain/lists/lists.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { expectUsable, toOptIn } from './list-opt-in.ts';
import { performOnce } from './once.ts';
import { renderList } from './representations/list.ts';

export function createList(writing: WithConnection): Handler<Operations, 'createList'> {
  return async ({ request, caller }) => {
    const { name, source_id: sourceId = null, topic = false, public_name: publicName = null } = request.body;
    const { idempotency_key: key } = request.body;
    const { storeId } = caller;
    const optIn = toOptIn(request.body, caller);
    return await performOnce(
      caller,
      { operation: 'createList', key, request },
      {
        perform: (once: Once<CreatedList>) =>
          writing(storeId, (db) =>
            create(db, storeId, { name, sourceId, topic, publicName, ...optIn }, (tx, work) =>
              once(tx, async () => {
                await expectUsable(tx, storeId, optIn);
                return await work();
              }),
            ),
          ),
        answer: (list) => ({ status: list.isNew ? (201 as const) : (200 as const), body: renderList(list) }),
      },
    );
  };
}
