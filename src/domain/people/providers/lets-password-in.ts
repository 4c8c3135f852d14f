import { sql } from 'kysely';

/**
 * Whether a store lets a person in by a password: where people sign in by its identity provider alone, one owner. Both are
 * values, or columns of the statement.
 */
export const letsPasswordIn = (storeId: unknown, personId: unknown) => sql<boolean>`not exists (
  select from identity_provider i where i.store_id = ${storeId} and i.break_glass_id <> ${personId})`;
