import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { Caller } from '../caller.ts';
import { invalid, ServiceError } from '../service-error.ts';

/**
 * Throws `forbidden` for anybody but an owner of the store, and `validation_error` where nobody could come in any more who may
 * switch it on again.
 */
export async function expectMaySetKeySignIn(
  db: Sql,
  { storeId, actor }: Pick<Caller, 'storeId' | 'actor'>,
  isOn: boolean,
): Promise<void> {
  const { rows } = await sql<{ personId: string; hasPassword: boolean }>`
    select m.person_id as "personId", p.password <> '' as "hasPassword"
    from membership m join person p on p.id = m.person_id
    where m.store_id = ${storeId} and m.role = 'owner'`.execute(db);
  if (actor.kind !== 'person' || rows.every(({ personId }) => personId !== actor.id)) {
    throw new ServiceError('forbidden', 'Only an owner may say whether people sign in with API keys');
  }
  if (isOn || rows.some(({ hasPassword }) => hasPassword)) return;
  throw invalid({ path: ['key_sign_in'], problem: 'can be false only where an owner has a password' });
}
