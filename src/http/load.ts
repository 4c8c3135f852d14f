import { RETRY_AFTER_OVERLOAD } from '../bounds.ts';
import { ServiceError } from '../domain/errors.ts';

/**
 * What this process has in hand. What would exceed its bounds is refused at once, so that the rest is still answered in
 * time, rather than everything late and the memory full.
 */
export class Load {
  readonly #maxRequests: number;
  readonly #maxBytes: number;
  #requests = 0;
  #bytes = 0;

  constructor({ maxRequests, maxBodyMemory }: { maxRequests: number; maxBodyMemory: number }) {
    this.#maxRequests = maxRequests;
    this.#maxBytes = maxBodyMemory * 1024 * 1024;
  }

  /** Does some work for a request. Throws `upstream_error` where too much is under way. */
  async work<T>(run: () => Promise<T>): Promise<T> {
    if (this.#requests >= this.#maxRequests) throw overloaded();
    this.#requests += 1;
    try {
      return await run();
    } finally {
      this.#requests -= 1;
    }
  }

  /** Room for one body, which has to be released. */
  bodyRoom(): BodyRoom {
    return new BodyRoom((bytes) => {
      if (bytes > 0 && this.#bytes + bytes > this.#maxBytes) throw overloaded();
      this.#bytes += bytes;
    });
  }
}

export class BodyRoom {
  readonly #add: (bytes: number) => void;
  #taken = 0;

  /** `add` adds to what all bodies have taken, or throws. */
  constructor(add: (bytes: number) => void) {
    this.#add = add;
  }

  /** Takes memory for so many bytes more. Throws `upstream_error` where there is none. */
  take(bytes: number): void {
    this.#add(bytes);
    this.#taken += bytes;
  }

  release(): void {
    this.#add(-this.#taken);
    this.#taken = 0;
  }
}

function overloaded(): ServiceError {
  return new ServiceError('upstream_error', 'The service is overloaded; try again later', {
    retryAfter: RETRY_AFTER_OVERLOAD,
  });
}
