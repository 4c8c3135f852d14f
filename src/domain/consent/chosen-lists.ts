import type { Sql } from '../../db/orm.ts';
import { findListsByName, type NamedList } from '../lists/find-by-name.ts';
import type { ChosenList } from './consent.ts';

/** Says which lists some names mean. One that the store does not have is what it is called. */
export async function chosenLists(
  db: Sql,
  storeId: string,
  names: readonly string[],
): Promise<(name: string) => ChosenList> {
  const known = await findListsByName(db, storeId, names);
  return (name) => {
    const list: NamedList | undefined = known.get(name);
    return list ? { ...list, name } : { id: name, name, sourceId: undefined, isDoubleOptIn: false, otherNames: [] };
  };
}
