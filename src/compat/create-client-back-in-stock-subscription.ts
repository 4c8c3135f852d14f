import type { Operations } from '../../generated/compat/operations.gen.ts';
import { subscribeVisitor } from '../domain/catalog/subscriptions/subscribe-customer.ts';
import { recordProfile } from '../domain/record-profile.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import { dropSuppressed } from '../domain/write/suppressed.ts';
import type { Handler } from '../http/handler.ts';
import { PROFILE, toClientProfile } from './document/client.ts';
import { reportAt } from './document/error.ts';

export function createClientBackInStockSubscription(
  groupCommit: GroupCommit,
  writing: WithConnection,
): Handler<Operations, 'createClientBackInStockSubscription'> {
  return async ({ request, caller }) => {
    const { attributes, relationships } = request.body.data;
    const change = toClientProfile(attributes.profile.data, PROFILE, caller);
    const recorded = await reportAt(PROFILE, dropSuppressed(recordProfile(groupCommit, caller, change)));
    const named = idOfShop(relationships.variant.data.id);
    if (recorded) {
      const { storeId } = caller;
      await writing(storeId, (db) => subscribeVisitor(db, storeId, recorded.profile.id, named));
    }
    return { status: 202, isRepeatable: true };
  };
}

/** `$shopify:::$default:::4114` → `4114` */
function idOfShop(id: string): string {
  return id.slice(id.lastIndexOf(':::') + (id.includes(':::') ? 3 : 1));
}
