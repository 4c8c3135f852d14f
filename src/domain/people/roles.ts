import { type Role, SCOPES, type Scope } from '../caller.ts';

export { ROLES, type Role } from '../caller.ts';

/** What each role may do. Owners and admins may do everything; what sets them apart is whom they may change. */
const SCOPES_OF_ROLE: Record<Role, readonly Scope[]> = {
  owner: SCOPES,
  admin: SCOPES,
  marketer: [
    ...(['events:read', 'profiles:write', 'profiles:read', 'events:write', 'automations:write'] as const),
    ...(['automations:read', 'audiences:write', 'audiences:read', 'messages:write', 'messages:read'] as const),
    ...(['messages:send', 'catalog:write', 'catalog:read', 'reports:read'] as const),
  ],
  analyst: ['reports:read', 'automations:read', 'audiences:read', 'messages:read', 'catalog:read'],
  support: [
    ...(['profiles:write', 'profiles:read', 'events:read', 'automations:read', 'audiences:read'] as const),
    ...(['messages:read', 'catalog:read', 'privacy:manage'] as const),
  ],
};

const SETS = Object.fromEntries(
  Object.entries(SCOPES_OF_ROLE).map(([role, scopes]) => [role, new Set<string>(scopes)]),
);

export function scopesOfRole(role: Role): ReadonlySet<string> {
  return SETS[role] as ReadonlySet<string>;
}

/** Whether somebody of a role may make a member of another, change one, or remove one: admins leave owners alone. */
export function mayManage(own: Role, other: Role): boolean {
  return own === 'owner' || (own === 'admin' && other !== 'owner');
}
