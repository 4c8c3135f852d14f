import type { Scope } from '../../../client/index.ts';

/** The only scope of a public key. */
export const PUBLIC_SCOPE = 'client:write' satisfies Scope;

/** What each scope of a secret key permits, in the order in which they are shown. */
export const SCOPES: Record<Exclude<Scope, typeof PUBLIC_SCOPE>, string> = {
  'events:write':
    'Record events, which also creates and changes the profiles they name, and read an event by its idempotency key.',
  'profiles:write':
    'Create and update profiles, record consent, and read a whole profile by a known e-mail, phone or external id.',
  'events:read': 'Read all events, counts and refused requests, and follow them live.',
  'profiles:read': 'Find customers, and see everything known about them.',
  'automations:write':
    'Create and change automations; with the scopes for what they do and for reading customers, publish them and steer their runs.',
  'automations:read': 'See automations; with both scopes for reading, also their runs, simulations and explanations.',
  'audiences:write':
    'Create, change and delete lists and segments, and add and remove members of lists, which shows which customers are known.',
  'audiences:read': 'See lists, segments and imports; with “profiles:read”, also who is in them.',
  'webhooks:manage': 'Manage webhook endpoints, and read and replay what automations have sent to them.',
  'messages:write': 'Create, change and publish templates of messages, and upload their images.',
  'messages:read':
    'See templates, senders and messages; with both scopes for reading, also what a template makes of a customer’s data.',
  'messages:send': 'Manage senders, send messages to customers, and try them out.',
  'catalog:write':
    'Create, change and delete what the store sells, and pools of coupon codes; add codes, give them to customers, and read them.',
  'catalog:read': 'See what the store sells, and what has changed of it; and pools of coupon codes, without the codes.',
  'privacy:manage': 'Erase customers, see that it is done, and let them return.',
  'reports:read':
    'See orders, what the store earns, and reports: counts, sums and trends of what customers do, and who does the most of it.',
  'settings:manage': 'See, change and remove the people of this store, and invite others.',
  'keys:manage': 'Create keys with its own scopes, rename and revoke any key of this store, and change its settings.',
};
