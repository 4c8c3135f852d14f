import type { Scope } from '../../../client/index.ts';

/** What each scope permits, in the order in which they are shown. */
export const SCOPES: Record<Scope, string> = {
  'events:write':
    'Record events; with them create and change the profiles they name, and read an event by its idempotency key.',
  'profiles:write':
    'Create and update profiles, and read the whole of one whose e-mail, phone or external id is known.',
  'events:read': 'Read all events, counts and refused requests, and follow them live.',
  'profiles:read': 'Look customers up, with all that is known of them.',
  'keys:manage': 'Create keys with the scopes it has itself, and revoke any key of this store.',
};
