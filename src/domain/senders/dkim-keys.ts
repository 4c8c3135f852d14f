import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { overloaded, ServiceError } from '../service-error.ts';

/** A key by which messages are signed (RFC 6376), RSA of 2048 bits. */
export interface DkimKey {
  /** PKCS #8, in base64. */
  privateKey: string;
  /** As it is published: SubjectPublicKeyInfo, in base64. */
  publicKey: string;
}

/** Keys that a process draws for a store in a day: each takes a core for a tenth of a second, or for several. */
const MAX_PER_STORE = 20;
/** Milliseconds that a request waits until it is its turn. */
const WAIT_MS = 3_000;
const DAY_MS = 86_400_000;

const generate = promisify(generateKeyPair);

/** Draws keys, one at a time, beside the event loop. */
export class DkimKeys {
  readonly #turns = new FairSemaphore({
    permits: 1,
    permitsPerStore: 1,
    timeoutMs: WAIT_MS,
    maxWaitingPerStore: 2,
    refusal: () => overloaded('Keys are being drawn for others; try again later'),
  });
  #day = 0;
  /** By store, on that day. */
  readonly #drawn = new Map<string, number>();

  /** Throws `validation_error` after too many. */
  async draw(storeId: string): Promise<DkimKey> {
    return await this.#turns.run(storeId, async () => {
      this.#count(storeId);
      const encoding = { format: 'der' } as const;
      const { privateKey, publicKey } = await generate('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { ...encoding, type: 'spki' },
        privateKeyEncoding: { ...encoding, type: 'pkcs8' },
      });
      return { privateKey: privateKey.toString('base64'), publicKey: publicKey.toString('base64') };
    });
  }

  #count(storeId: string): void {
    const day = Math.floor(Date.now() / DAY_MS);
    if (day !== this.#day) this.#drawn.clear();
    this.#day = day;
    const drawn = this.#drawn.get(storeId) ?? 0;
    if (drawn >= MAX_PER_STORE) {
      throw new ServiceError('validation_error', `The store has been given ${MAX_PER_STORE} DKIM keys today`);
    }
    this.#drawn.set(storeId, drawn + 1);
  }
}

/** Where the key of a sender is published. */
export function dkimName(selector: string, domain: string): string {
  return `${selector}._domainkey.${domain}`;
}

/** The TXT record by which a key is published. */
export function dkimRecord(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`;
}

/** What the key of a sender is sealed for. */
export function placeOfDkimKey(storeId: string, senderId: string): readonly string[] {
  return ['sender', storeId, senderId, 'dkim_key'];
}
