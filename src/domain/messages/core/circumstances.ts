import { sql } from 'kysely';
import { rowsById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import type { StoreHold } from '../../automations/store-hold.ts';
import { IS_READY } from '../../senders/find-senders.ts';
import { LIMIT_TODAY, MAY_SEND_TODAY } from '../../senders/warm-up.ts';

/** What may hold up the messages of a sender, beside what each says itself. */
export interface Circumstances {
  /** Why all that the store sends is held; null if it is not. */
  hold: StoreHold['reason'] | null;
  /** Whether the winner of its campaign's test is looked for, which what is due at no time waits for. */
  isTested?: boolean;
  sender: {
    isDeleted: boolean;
    isReady: boolean;
    /** The first check that failed; null if none has, or nobody has looked. */
    failing: string | null;
    restingUntil: Date | null;
    /** Whether it has sent all that it may today. */
    isSpent: boolean;
    /** Whether it may send less today than it can, as it warms up. */
    isWarmingUp: boolean;
  };
}

interface Row extends Omit<Circumstances['sender'], 'restingUntil'>, Pick<Circumstances, 'hold'> {
  id: string;
  resting: number | null;
}

/** Reads what may hold up the messages of some senders, by their ids. */
export async function readCircumstances(
  db: Sql,
  storeId: string,
  senderIds: readonly string[],
): Promise<Map<string, Circumstances>> {
  if (senderIds.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select s.id, s.deleted_at is not null as "isDeleted", ${IS_READY} as "isReady",
      (
        select c ->> 'name' from json_array_elements(coalesce(s.checks, '[]')) with ordinality as w (c, n)
        where not (c ->> 'ok')::boolean
        order by n limit 1
      ) as failing,
      (extract(epoch from s.resting_until) * 1000)::float8 as resting,
      not ${MAY_SEND_TODAY} as "isSpent", ${LIMIT_TODAY} is distinct from s.max_per_day as "isWarmingUp",
      (select h.reason from automation_hold h where h.store_id = ${storeId}) as hold
    from ${rowsById('sender', storeId, [...new Set(senderIds)])} s`.execute(db);
  return new Map(
    rows.map(({ id, hold, resting, ...sender }) => [
      id,
      { hold, sender: { ...sender, restingUntil: resting === null ? null : new Date(resting) } },
    ]),
  );
}
