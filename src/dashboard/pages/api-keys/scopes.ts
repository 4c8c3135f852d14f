import type { Scope } from '../../../client/index.ts';

/** What each scope permits, in the order in which they are shown. */
export const SCOPES: Record<Scope, string> = {
  'events:write':
    'Record events, which also creates and changes the profiles they name, and read an event by its idempotency key.',
  'profiles:write':
    'Create and update profiles, record consent, and read a whole profile by a known e-mail, phone or external id.',
  'events:read': 'Read all events, counts and refused requests, and follow them live.',
  'profiles:read': 'Find customers, and see everything known about them.',
  'keys:manage': 'Create keys with its own scopes, and revoke any key of this store.',
};
