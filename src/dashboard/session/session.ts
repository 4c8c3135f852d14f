import { useSyncExternalStore } from 'react';

/** Where the tab keeps the key: gone with it, and seen by no other. */
const STORED_KEY = 'footfall.key';

interface Session {
  /** The API key that is signed in with. */
  apiKey: string | undefined;
  /** Why the last one ended, where that was not the person's own wish. */
  reason?: string;
}

const listeners = new Set<() => void>();
let session: Session = { apiKey: sessionStorage.getItem(STORED_KEY) ?? undefined };

function change(next: Session): void {
  session = next;
  if (next.apiKey === undefined) sessionStorage.removeItem(STORED_KEY);
  else sessionStorage.setItem(STORED_KEY, next.apiKey);
  for (const listener of listeners) listener();
}

export function signIn(apiKey: string): void {
  change({ apiKey });
}

export function signOut(reason?: string): void {
  change({ apiKey: undefined, ...(reason ? { reason } : {}) });
}

/** Ends a session whose key the service refuses. */
export function expireSession(): void {
  signOut('Your key is no longer valid: it was revoked, or it has expired. Sign in with another one.');
}

export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
}
