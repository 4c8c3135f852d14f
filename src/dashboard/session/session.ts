import { useSyncExternalStore } from 'react';

/** Tells the tabs of this browser that somebody is signed in, and since when. The key itself is in a cookie. */
const STORED_SINCE = 'footfall.session';

interface Session {
  /** Another with every sign-in; undefined while nobody is signed in. */
  since: string | undefined;
  /** The API key, in the tab where it was typed and for as long as that is not loaded again. */
  apiKey?: string;
  /** Why the last one ended, where that was not the person's own wish. */
  reason?: string;
}

const listeners = new Set<() => void>();
let session: Session = { since: localStorage.getItem(STORED_SINCE) ?? undefined };

function change(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

// What another tab did.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === STORED_SINCE || key === null) change({ since: newValue ?? undefined });
});

/** Has the browser keep the key for all of its tabs, where no script can read it; answers what the service says of it. */
export async function signIn(apiKey: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const response = await fetch('/dashboard/session', { method: 'POST', headers });
  if (response.ok) {
    const since = String(Date.now());
    localStorage.setItem(STORED_SINCE, since);
    change({ since, apiKey });
  }
  return response;
}

export function signOut(reason?: string): void {
  localStorage.removeItem(STORED_SINCE);
  change({ since: undefined, ...(reason && { reason }) });
  void fetch('/dashboard/session', { method: 'DELETE', keepalive: true }).catch(() => undefined);
}

/** Ends a session that the service no longer knows. */
export function expireSession(): void {
  signOut('Your session has ended: the browser was closed, or the key was revoked or has expired. Sign in again.');
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
