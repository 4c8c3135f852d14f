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

/** What to call a customer of whom the id is known; undefined until that is known, or where nobody may tell. */
export function useCustomerName(id: string): string | undefined {
  const client = useClient();
  return useQuery({
    queryKey: ['customer-name', id],
    queryFn: () => namesFor(client).read(id),
    staleTime: STALE_MS,
  }).data?.name;
}

interface Answer {
  /** Undefined where there is no such customer. */
  name: string | undefined;
}

interface Asked {
  promise: Promise<Answer>;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

const ofClients = new WeakMap<Client, CustomerNames>();

function namesFor(client: Client): CustomerNames {
  const known = ofClients.get(client) ?? new CustomerNames(client);
  ofClients.set(client, known);
  return known;
}

/** Reads the names that the rows of a table ask for, each by itself, in as few requests as it can. */
class CustomerNames {
  readonly #client: Client;
  readonly #asked = new Map<string, Asked>();
  #isWaiting = false;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(client: Client) {
    this.#client = client;
  }

  read(id: string): Promise<Answer> {
    const asked = this.#asked.get(id) ?? Promise.withResolvers<Answer>();
    this.#asked.set(id, asked);
    this.#readSoon();
    return asked.promise;
  }

  #readSoon(): void {
    if (this.#isWaiting || this.#asked.size === 0) return;
    this.#isWaiting = true;
    const waitMs = Math.max(0, this.#readAt + BETWEEN_MS - performance.now());
    setTimeout(() => void this.#readAll(), waitMs);
  }

  async #readAll(): Promise<void> {
    this.#readAt = performance.now();
    const asked = [...this.#asked].slice(0, AT_ONCE);
    for (const [id] of asked) this.#asked.delete(id);
    try {
      const names = await this.#readSome(asked.map(([id]) => id));
      for (const [id, { resolve }] of asked) resolve({ name: names.get(id) });
    } catch (error) {
      for (const [, { reject }] of asked) reject(error);
    }
    this.#isWaiting = false;
    this.#readSoon();
  }

  /** A page ends early where customers have large attributes. */
  async #readSome(ids: string[]): Promise<Map<string, string>> {
    const names = new Map<string, string>();
    let cursor: string | null | undefined;
    do {
      const page = await this.#client.listProfiles({ ids, limit: AT_ONCE, ...(cursor && { cursor }) });
      for (const profile of page.profiles) names.set(profile.id, nameOf(profile));
      cursor = page.next_cursor;
    } while (cursor);
    return names;
  }
}
