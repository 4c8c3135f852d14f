import type { Caller } from '../domain/caller.ts';
import { findBySourceIds } from '../domain/reading/source-ids.ts';
import { invalid, type Violation } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { isId } from '../ids/uuid-v7.ts';
import { present } from './document/text.ts';

/** A profile resource of a bulk request, and where the request has it. */
interface Placed {
  path: Violation['path'];
  resource: { id?: string | null };
}

/**
 * Replaces the ids that profiles had at the third party by theirs here, in one look-up. Throws `validation_error` with a
 * violation for each that is unknown.
 */
export async function translateIds(
  reading: WithConnection,
  { storeId }: Caller,
  profiles: readonly Placed[],
): Promise<void> {
  const foreign = profiles.filter(({ resource: { id } }) => present(id) && !isId(id));
  if (foreign.length === 0) return;
  const ids = foreign.map(({ resource: { id } }) => id as string);
  const known = await reading(storeId, (db) => findBySourceIds(db, storeId, ids));
  const [first, ...others] = foreign.flatMap(({ path, resource }): Violation[] => {
    const id = known.get(resource.id as string);
    if (id === undefined) return [{ path: [...path, 'id'], problem: 'is not the id of a profile' }];
    resource.id = id;
    return [];
  });
  if (first) throw invalid(first, ...others);
}
