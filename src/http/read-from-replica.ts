import { isDatabaseError } from '../db/driver-errors.ts';
import type { Replica } from '../db/replica.ts';
import type { StoreData } from '../db/store-data.ts';

/** Makes the handler of an operation that only reads, and that may do so from a replica. */
export type Reader = <Call, Reply>(
  create: (stores: StoreData) => (call: Call) => Promise<Reply>,
) => (call: Call) => Promise<Reply>;

/** Has operations read from the replica while it has all that is committed, and otherwise, or if it fails, from the primary. */
export function readFromReplica(primary: StoreData, replica: Replica | undefined): Reader {
  return (create) => {
    const read = create(primary);
    if (!replica) return read;
    const readReplica = create(replica.database.stores);
    return async (call) => {
      if (!(await replica.hasCaughtUp())) return read(call);
      try {
        return await readReplica(call);
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        replica.noteFailure(error);
        return read(call);
      }
    };
  };
}
