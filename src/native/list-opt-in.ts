import type { ListInput, ListUpdate } from '../../generated/native/types.gen.ts';
import type { Sql } from '../db/sql.ts';
import type { Caller } from '../domain/caller.ts';
import { expectConfirmationTemplate } from '../domain/confirmations/confirmation-template.ts';
import { expectScopes } from '../domain/expect-scopes.ts';
import type { OptIn } from '../domain/lists/lists.ts';

/** Converts how customers opt in to a list. Throws `forbidden` where that sends messages, which the key may not. */
export function toOptIn(
  { opt_in, confirmation_template_id }: Pick<ListInput | ListUpdate, 'opt_in' | 'confirmation_template_id'>,
  caller: Caller,
): OptIn {
  if (opt_in === 'double' || confirmation_template_id) {
    expectScopes(caller, ['messages:send'], 'lists with double opt-in need');
  }
  return {
    isDoubleOptIn: opt_in === undefined ? undefined : opt_in === 'double',
    confirmationTemplateId: confirmation_template_id?.toLowerCase() ?? confirmation_template_id,
  };
}

/** Throws `validation_error` unless customers can be asked by the template that a list is to have, if it is to have one. */
export async function expectUsable(db: Sql, storeId: string, { confirmationTemplateId: id }: OptIn): Promise<void> {
  if (typeof id === 'string') await expectConfirmationTemplate(db, storeId, id);
}
