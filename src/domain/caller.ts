import type { Origin } from './write/profile-history.ts';

/** The scopes of secret keys. */
export const SCOPES = [
  'events:write',
  'events:read',
  'profiles:write',
  'profiles:read',
  'automations:write',
  'automations:read',
  'audiences:write',
  'audiences:read',
  'webhooks:manage',
  'messages:write',
  'messages:read',
  'messages:send',
  'catalog:write',
  'catalog:read',
  'privacy:manage',
  'reports:read',
  'settings:manage',
  'keys:manage',
] as const;
/** The only scope of a public key, and of no other. */
export const PUBLIC_SCOPE = 'client:write';
export type Scope = (typeof SCOPES)[number] | typeof PUBLIC_SCOPE;

export const ROLES = ['owner', 'admin', 'marketer', 'analyst', 'support'] as const;
/** What a person is in a store. */
export type Role = (typeof ROLES)[number];

interface KeyActor {
  kind: 'key';
  id: string;
  /** Whether somebody has signed in to the dashboard with it, and so makes the request. */
  isInBrowser?: true;
}

/** Who calls: an API key, or a person in a browser, of whom `session` is the digest of the session, in base64. */
export type Actor = KeyActor | PersonActor;

interface PersonActor {
  kind: 'person';
  id: string;
  role: Role;
  session: string;
  /** Whether the store asks for a second factor, and the person has none. */
  lacksSecondFactor: boolean;
  /** Whether the store's identity provider says who it is: then the session is of this store alone. */
  isByProvider: boolean;
}

/** Proof of authentication: who calls, and for which store. */
export interface Caller {
  actor: Actor;
  storeId: string;
  /** Of the store, by its code of ISO 3166: where a number without a calling code is dialled; null if it is not set. */
  country: string | null;
  /** Whether the store keeps a history of what changes of its customers. */
  keepsHistory: boolean;
  /** What its request changes comes from; only where the store keeps that. */
  origin?: Origin;
  /** The rate-limit window in which its requests count. */
  windowId: string;
  scopes: ReadonlySet<string>;
  tier: string;
  /** Whether nobody may sign in to the dashboard with the key. */
  barsSignIn?: boolean;
  /** When the key expires; null if it does not, and for a person. */
  expiresAt: Date | null;
}

/** Reads the callers that some digests are of. */
export type ReadCallers = (digests: readonly Buffer[]) => Promise<{ digest: string; caller: Caller }[]>;
