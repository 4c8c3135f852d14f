import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { type Client, createClient, FootfallError, type Options } from '../../client/index.ts';
import { expireSession } from '../session/session.ts';

interface Api {
  client: Client;
  apiKey: string;
}

/** A person waits for it: less patience than the client has by itself. */
const PATIENCE = { maxAttempts: 3, timeoutMs: 20_000, attemptTimeoutMs: 10_000 };

const ApiContext = createContext<Api | undefined>(undefined);

/** A client of the service that this page is from. */
export function clientWith(apiKey: string, options: Partial<Options> = PATIENCE): Client {
  return createClient({ baseUrl: window.location.origin, apiKey, ...options });
}

/** Lets everything below call the service with the key. What was read with one key is gone with it. */
export function ApiProvider({ apiKey, children }: { apiKey: string; children: ReactNode }) {
  const [api] = useState(() => ({ client: clientWith(apiKey), apiKey }));
  const [queryClient] = useState(createQueryClient);
  return (
    <ApiContext value={api}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </ApiContext>
  );
}

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (!api) throw new Error('Nobody is signed in');
  return api;
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
