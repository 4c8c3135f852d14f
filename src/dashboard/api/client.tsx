import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { type Client, createClient, FootfallError, type Options } from '../../client/index.ts';
import { expireSession } from '../session/session.ts';

/** A person waits for it: less patience than the client has by itself. */
const PATIENCE = { maxAttempts: 3, timeoutMs: 20_000, attemptTimeoutMs: 10_000 };

const ClientContext = createContext<Client | undefined>(undefined);

/** A client of the service that this page is from, with the session of the browser. */
export function sessionClient(options: Partial<Options> = PATIENCE): Client {
  return createClient({ baseUrl: window.location.origin, apiKey: 'in-the-cookie', fetch: sessionFetch, ...options });
}

/** For what takes more requests than a key has in a minute: it waits until there are some again. */
export function patientClient(): Client {
  return sessionClient({ maxAttempts: 60, timeoutMs: 5 * 60_000 });
}

/** Sends the browser's session instead of a key, with the header that only a page of this service can set. */
export function sessionFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('Authorization');
  headers.set('X-Requested-With', 'footfall-dashboard');
  return fetch(input, { ...init, headers });
}

/** Lets everything below call the service. What was read in one session is gone with it. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [client] = useState(() => sessionClient());
  const [queryClient] = useState(createQueryClient);
  return (
    <ClientContext value={client}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </ClientContext>
  );
}

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('Not signed in');
  return client;
}

function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof FootfallError && error.code === 'unauthorized') expireSession();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // The client repeats by itself what may succeed.
    defaultOptions: { queries: { retry: false, staleTime: 5_000 }, mutations: { retry: false } },
  });
}
