import type { Scope } from '../../../client/index.ts';

/** What each scope permits, in the order in which they are shown. */
export const SCOPES: Record<Scope, string> = {
  'events:write': 'Record events. For shops and apps.',
  'profiles:write': 'Create and update profiles. For shops and apps.',
  'events:read': 'Read events, counts and refused requests, and follow them live.',
  'profiles:read': 'Look customers up, with all that is known of them.',
  'keys:manage': 'Create and revoke the keys of this store.',
};
