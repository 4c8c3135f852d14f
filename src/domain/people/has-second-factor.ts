import { sql } from 'kysely';

/** Whether a person has to prove a second factor; `personId` is a value, or a column of the statement. */
export const hasSecondFactor = (personId: unknown) => sql<boolean>`exists (
  select from second_factor f where f.person_id = ${personId} and f.enabled_at is not null)`;
