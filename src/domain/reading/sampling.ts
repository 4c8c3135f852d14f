import { isTimeout } from '../../db/driver-errors.ts';
import { limitStatements } from '../../db/limit-statements.ts';
import type { Sql } from '../../db/sql.ts';
import { countProfiles, drawProfiles, type ProfileCount } from './draw-profiles.ts';

/** Milliseconds that the customers of a store may take to be counted, or to be drawn. */
const [COUNT_MS, DRAW_MS] = [400, 1_000];

/**
 * Draws customers of a store at random, in the caller's transaction, whose statements are bounded from then on. Throws
 * `tooLong()` where that takes too long.
 */
export async function drawInTime(
  tx: Sql,
  storeId: string,
  most: number,
  tooLong: () => Error,
): Promise<ProfileCount & { ids: string[] }> {
  try {
    await limitStatements(tx, COUNT_MS);
    const count = await countProfiles(tx, storeId);
    await limitStatements(tx, DRAW_MS);
    return await drawProfiles(tx, storeId, count, most);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw tooLong();
  }
}

/** The bounds between which a share of all is with 95 %, if so many of a sample match: Wilson's, also where none or all do. */
export function shareBounds(matching: number, evaluated: number): { low: number; high: number } {
  const z = 1.96;
  const share = matching / evaluated;
  const middle = share + z ** 2 / (2 * evaluated);
  const width = z * Math.sqrt((share * (1 - share)) / evaluated + z ** 2 / (4 * evaluated ** 2));
  const bound = (value: number) => Math.min(1, Math.max(0, value / (1 + z ** 2 / evaluated)));
  return { low: bound(middle - width), high: bound(middle + width) };
}
