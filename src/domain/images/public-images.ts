import { sql } from 'kysely';
import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import type { StoreData } from '../../db/store-data.ts';
import type { ImageType } from './image-format.ts';
import { storeOfImages } from './image-path.ts';

export interface PublicImage {
  storeId: string;
  type: ImageType;
  bytes: Buffer;
}

/** Bytes of images that are kept, and milliseconds for which: a campaign has many open the same one at a time. */
const KEPT_BYTES = 16 * 1024 * 1024;
const KEPT_MS = 60_000;
/** Stores whose tokens are kept. A token never comes to be another store's. */
const MAX_STORES = 10_000;

/** Who waits for a connection to look a token up. */
const UNKNOWN = '00000000-0000-0000-0000-000000000000';

const TOKEN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^[\w-]{43}$/;

/** Images for whoever knows their path, who need no key. */
export class PublicImages {
  readonly #stores: StoreData;
  readonly #connections: FairSemaphore;
  readonly #storeIds = new Map<string, string>();
  /** By path; those that were asked for first come first. */
  readonly #kept = new Map<string, { image: PublicImage; until: number }>();
  #keptBytes = 0;
  /** Those that are being read, by path: who asks meanwhile gets the same. */
  readonly #reading = new Map<string, Promise<PublicImage | undefined>>();

  /** `connections` guards those of `stores`. */
  constructor(stores: StoreData, connections: FairSemaphore) {
    this.#stores = stores;
    this.#connections = connections;
  }

  /** Undefined if there is no such image. */
  async find(token: string, hash: string): Promise<PublicImage | undefined> {
    if (!TOKEN.test(token) || !HASH.test(hash)) return undefined;
    const path = `${token}/${hash}`;
    const kept = this.#kept.get(path);
    if (kept && kept.until > performance.now()) return kept.image;
    const reading = this.#reading.get(path) ?? this.#look(token, hash).finally(() => this.#reading.delete(path));
    this.#reading.set(path, reading);
    return await reading;
  }

  async #look(token: string, hash: string): Promise<PublicImage | undefined> {
    const storeId = await this.#storeOf(token);
    if (storeId === undefined) return undefined;
    const image = await this.#connections.run(storeId, () => this.#read(storeId, hash));
    const path = `${token}/${hash}`;
    if (image) this.#keep(path, image);
    else this.#forget(path);
    return image;
  }

  async #storeOf(token: string): Promise<string | undefined> {
    const known = this.#storeIds.get(token);
    if (known !== undefined) return known;
    // Whose it is, nobody knows yet: all that are unknown share what one store may have.
    const storeId = await this.#connections.run(UNKNOWN, () => storeOfImages(this.#stores.shared, token));
    if (storeId === undefined) return undefined;
    if (this.#storeIds.size >= MAX_STORES) this.#storeIds.clear();
    this.#storeIds.set(token, storeId);
    return storeId;
  }

  async #read(storeId: string, hash: string): Promise<PublicImage | undefined> {
    const { rows } = await sql<Omit<PublicImage, 'storeId'>>`
      select type, bytes from image
      where store_id = ${storeId} and hash = ${Buffer.from(hash, 'base64url')}`.execute(this.#stores.of(storeId));
    return rows[0] && { storeId, ...rows[0] };
  }

  #keep(path: string, image: PublicImage): void {
    this.#forget(path);
    this.#kept.set(path, { image, until: performance.now() + KEPT_MS });
    this.#keptBytes += image.bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= KEPT_BYTES) break;
      this.#forget(oldest);
    }
  }

  #forget(path: string): void {
    this.#keptBytes -= this.#kept.get(path)?.image.bytes.length ?? 0;
    this.#kept.delete(path);
  }
}
