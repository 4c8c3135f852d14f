import { useQuery } from '@tanstack/react-query';
import type { Client } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { nameOf } from './name-of.ts';

/** Milliseconds between two requests for names: new events bring new customers all the time. */
const BETWEEN_MS = 2_000;
/** Profiles that one request may ask for. */
const AT_ONCE = 100;
/** Milliseconds for which a name need not be read again. */
const STALE_MS = 60_000;

/** What to call a customer of whom the id is known; undefined until that is read, and where there is no name. */
export function useCustomerName(id: string): string | undefined {
  const client = useClient();
  return useQuery({
    queryKey: ['customer-name', id],
    queryFn: ({ signal }) => namesFor(client).read(id, signal),
    staleTime: STALE_MS,
  }).data?.name;
}

interface Answer {
  name: string | undefined;
}

type Asked = PromiseWithResolvers<Answer>;

const ofClients = new WeakMap<Client, CustomerNames>();

function namesFor(client: Client): CustomerNames {
  const known = ofClients.get(client) ?? new CustomerNames(client);
  ofClients.set(client, known);
  return known;
}

/** Reads the names that the rows of a table ask for, each by itself, in as few requests as it can. */
class CustomerNames {
  readonly #client: Client;
  /** Those that somebody still waits for, in the order in which they were asked for. */
  readonly #asked = new Map<string, Asked>();
  #isReading = false;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(client: Client) {
    this.#client = client;
  }

  read(id: string, signal: AbortSignal): Promise<Answer> {
    const asked = Promise.withResolvers<Answer>();
    this.#asked.set(id, asked);
    signal.addEventListener('abort', () => {
      this.#forget(id, asked);
      asked.reject(signal.reason);
    });
    this.#readSoon();
    return asked.promise;
  }

  #forget(id: string, asked: Asked): void {
    if (this.#asked.get(id) === asked) this.#asked.delete(id);
  }

  #readSoon(): void {
    if (this.#isReading || this.#asked.size === 0) return;
    this.#isReading = true;
    const waitMs = Math.max(0, this.#readAt + BETWEEN_MS - performance.now());
    setTimeout(async () => {
      this.#readAt = performance.now();
      // The last ones: they are what is looked at now.
      await this.#readSome([...this.#asked].slice(-AT_ONCE));
      this.#isReading = false;
      this.#readSoon();
    }, waitMs);
  }

  async #readSome(some: [id: string, Asked][]): Promise<void> {
    if (some.length === 0) return;
    try {
      const page = await this.#client.listProfiles({ ids: some.map(([id]) => id), limit: AT_ONCE });
      const names = new Map(page.profiles.map((profile) => [profile.id, nameOf(profile)]));
      // Newest first, it ends early where customers have large attributes: the others are asked for again.
      const lastId = page.next_cursor === null ? '' : (page.profiles.at(-1)?.id ?? '');
      for (const [id, asked] of some.filter(([id]) => id >= lastId)) {
        this.#forget(id, asked);
        const name = names.get(id);
        asked.resolve({ name: name === id ? undefined : name });
      }
    } catch (error) {
      for (const [id, asked] of some) {
        this.#forget(id, asked);
        asked.reject(error);
      }
    }
  }
}
