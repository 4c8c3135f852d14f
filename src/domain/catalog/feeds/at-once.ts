import { sql } from 'kysely';

/** When something is due that is to happen now: never later than the clock, which has more digits than the columns. */
export const AT_ONCE = sql`date_trunc('milliseconds', now())`;
