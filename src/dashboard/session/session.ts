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

/** The session of a person has no key that could be shown. */
export function begin(): void {
  const since = String(Date.now());
  localStorage.setItem(STORED_SINCE, since);
  change({ since });
}

/** Signs a person in; answers what the service says of it: 200 where a code of the second factor is wanted too. */
export function signInByPassword(given: { email: string; password: string; code?: string }): Promise<Response> {
  return beginBy('/dashboard/session', given);
}

/** Becomes a member of a store by the end of a link, and signs in; 200 as of `signInByPassword`. */
export function acceptInvitation(given: {
  token: string;
  email?: string;
  name?: string;
  password: string;
  code?: string;
}): Promise<Response> {
  return beginBy('/dashboard/invitation/acceptance', given);
}

async function beginBy(path: string, body: object): Promise<Response> {
  const response = await send('POST', path, body);
  if (response.status === 204) begin();
  return response;
}

/** Has this browser, in all of its tabs, show another store of the person. What does not allow it, is said by what is read next. */
export async function switchStore(id: string): Promise<void> {
  if ((await send('PUT', '/dashboard/session/store', { store_id: id })).ok) begin();
}

/** Sends what is not part of the contract, with the header that only a page of this service can set. */
export function send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Response> {
  const headers = { 'X-Requested-With': 'footfall-dashboard', ...(body && { 'Content-Type': 'application/json' }) };
  return fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

export function signOut(reason?: string): void {
  localStorage.removeItem(STORED_SINCE);
  change({ since: undefined, ...(reason && { reason }) });
  void fetch('/dashboard/session', { method: 'DELETE', keepalive: true }).catch(() => undefined);
}

/** Ends a session that the service no longer knows. */
export function expireSession(): void {
  signOut(
    'Your session has ended: the browser was closed, the key is no longer valid, or the role has changed. Sign in again.',
  );
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
