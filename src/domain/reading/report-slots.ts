import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { overloaded } from '../service-error.ts';

/** Reports of this process at a time. */
const MAX_AT_ONCE = 4;
/** How many reports of a store wait, and milliseconds for how long. */
const [MAX_WAITING, MAX_WAIT_MS] = [20, 5_000];

/** What reports may take: each can keep a connection and a core busy for seconds. */
export class ReportSlots {
  readonly #slots = new FairSemaphore({
    permits: MAX_AT_ONCE,
    permitsPerStore: 1,
    timeoutMs: MAX_WAIT_MS,
    maxWaitingPerStore: MAX_WAITING,
    refusal: () => overloaded('Too many reports are being worked out; try again later'),
  });

  /** Works a report out when it is the store's turn. Throws `upstream_error` if that takes too long. */
  use<Result>(storeId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#slots.run(storeId, work);
  }
}
