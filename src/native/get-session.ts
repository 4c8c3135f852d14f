import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Session } from '../../generated/native/types.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import type { Caller } from '../domain/caller.ts';
import { findMember, storesOfPerson } from '../domain/people/people.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';

type Who = Pick<Session, 'name' | 'email' | 'role' | 'stores'>;

export function getSession(stores: StoreData, keys: ApiKeys): Handler<Operations, 'getSession'> {
  return async ({ caller }) => {
    const { actor, scopes } = caller;
    const lacks = actor.kind === 'person' && actor.lacksSecondFactor;
    const isByProvider = actor.kind === 'person' && actor.isByProvider;
    const who = actor.kind === 'key' ? await keyOf(keys, caller) : await personOf(stores, caller);
    const { id, name, displayName, timeZone, currency } = await keys.storeOf(caller);
    const store = { id, name, display_name: displayName, time_zone: timeZone, currency };
    return {
      status: 200,
      body: {
        ...{ kind: actor.kind, id: actor.id, ...who, lacks_second_factor: lacks, by_identity_provider: isByProvider },
        ...{ scopes: [...scopes], store },
      },
    };
  };
}

async function keyOf(keys: ApiKeys, caller: Caller): Promise<Who> {
  const { record } = await keys.current(caller);
  return { name: record.name, email: null, role: null, stores: [] };
}

async function personOf({ shared }: StoreData, { storeId, actor }: Caller): Promise<Who> {
  const member = await findMember(shared, storeId, actor.id);
  // Removed a moment ago.
  if (!member) throw new ServiceError('unauthorized', 'The session has ended');
  const { name, email, role } = member;
  const stores = await storesOfPerson(shared, actor.id);
  const isBound = actor.kind === 'person' && actor.isByProvider;
  return { name, email, role, stores: isBound ? stores.filter(({ id }) => id === storeId) : stores };
}
