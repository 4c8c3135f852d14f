import { type RawBuilder, sql } from 'kysely';

/** Whether a message of a campaign has gone, may have, or will; or is kept from who is compared with those who get it. */
export function hasIt(message: string): RawBuilder<unknown> {
  const [status, reason] = [sql.ref(`${message}.status`), sql.ref(`${message}.reason`)];
  return sql`(${status} not in ('skipped', 'failed', 'expired', 'cancelled') or ${reason} is not distinct from 'hold_out')`;
}
