import type { StoreData } from '../../db/store-data.ts';
import type { PeriodicTask } from '../../engine/periodic.ts';
import type { Log } from '../../process/log.ts';
import { checkSlice, deleteUnseen } from './check-slice.ts';
import { endRound, keepProgress, type Progress, takeStore } from './progress.ts';

/** Milliseconds for which it looks at a time. */
const CHECK_MS = 500;

/** What was found when all identifiers of a store had been looked at. */
export interface CheckedStore {
  storeId: string;
  splits: number;
}

/**
 * Looks at identifiers of stores of which not all have been looked at in their present canonical form, until a time
 * (`performance.now()`) has come. Each that an earlier version has stored in another spelling gets its canonical one, too,
 * unless another profile has that: then the two are reported, and nothing is changed. Calls `onChecked` after the last of
 * a store. May be interrupted anywhere, and be done twice.
 */
export async function checkIdentifiers(
  stores: StoreData,
  until: number,
  onChecked: (checked: CheckedStore) => void,
): Promise<void> {
  while (performance.now() < until) {
    const taken = await takeStore(stores.shared);
    if (!taken) return;
    const db = stores.of(taken.storeId);
    let place: Progress | undefined = taken;
    do place = await checkSlice(db, place);
    while (place && performance.now() < until);
    if (place) {
      await keepProgress(stores.shared, place);
      continue;
    }
    const splits = await deleteUnseen(db, taken);
    if (await endRound(stores.shared, taken)) onChecked({ storeId: taken.storeId, splits });
  }
}

export function checkOfIdentifiers(stores: StoreData, log: Log): PeriodicTask {
  const report = ({ storeId, splits }: CheckedStore) => {
    if (splits > 0)
      log.warn({ store_id: storeId, splits }, 'addresses or numbers have several profiles: see /v1/identifier-splits');
  };
  return {
    failure: 'identifiers not looked at',
    everyMs: 2_000,
    run: () => checkIdentifiers(stores, performance.now() + CHECK_MS, report),
  };
}
