export const SCOPES = ['events:write', 'events:read', 'profiles:write', 'profiles:read', 'keys:manage'] as const;
export type Scope = (typeof SCOPES)[number];

/** Proof of authentication: who calls, and for which store. */
export interface Caller {
  keyId: string;
  storeId: string;
  /** Whose window of the rate limit its requests are counted in. */
  windowId: string;
  scopes: ReadonlySet<string>;
  tier: string;
  /** When the key ends; null where it does not. */
  expiresAt: Date | null;
}
