import { sql } from 'kysely';

/**
 * Whether a member `m`, of a person `p`, has come by the store's identity provider, has no password, and so can't come in any more
 * now that the store has none.
 */
export const IS_STRANDED = sql<boolean>`(
  p.provider_store_id is not distinct from m.store_id and not exists (select from identity_provider i where i.store_id = m.store_id))`;

/** Whether an invitation to a role may take their place: nobody but an owner invites owners, or changes them. */
export const mayReplaceStranded = (role: string) => sql<boolean>`(m.role <> 'owner' or ${role} = 'owner')`;
