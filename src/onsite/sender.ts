import { addTo, type Batch, requestOf } from './batch.ts';
import { post } from './post.ts';
import { remedy } from './remedy.ts';
import { MAX_WAITING, storeUnsent, takeUnsent } from './unsent.ts';

/** After them, only the next call of the page or the next page tries again. */
const MAX_ATTEMPTS = 6;
/** Milliseconds. */
const LAST_PAUSE = 60_000;

export interface Sender {
  add(batch: Batch): void;
  /** Takes over what an earlier page could not send. */
  resume(): void;
}

/**
 * Sends batches one after the other, and again where the service can't be reached or is busy. `urlOf` returns nothing
 * while no key is known.
 */
export function createSender(urlOf: (operation: string) => string | undefined): Sender {
  let waiting: Batch[] = [];
  let isSending = false;
  let failures = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;

  /** After what the page is doing, so that what it says at once is one request. */
  function start(): void {
    void Promise.resolve().then(send);
  }

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    for (let batch = waiting[0]; batch && pause === undefined; batch = waiting[0]) {
      const [operation, body] = requestOf(batch);
      const url = urlOf(operation);
      if (url === undefined) break;
      const response = await post(url, body, failures === 0);
      const status = response?.status ?? 0;
      if (!response || status === 429 || status >= 500) waitAWhile(Number(response?.headers.get('Retry-After')));
      else {
        failures = 0;
        waiting.splice(0, 1, ...(status === 400 ? await remedy(batch, response) : []));
      }
    }
    isSending = false;
  }

  /** `retryAfter` in seconds, 0 or `NaN` if the service has not said. */
  function waitAWhile(retryAfter: number): void {
    failures += 1;
    const hasEnded = failures >= MAX_ATTEMPTS;
    const seconds = Math.max(retryAfter || 0, 2 ** failures) + Math.random();
    pause = setTimeout(
      () => {
        pause = undefined;
        if (!hasEnded) start();
      },
      hasEnded ? LAST_PAUSE : seconds * 1000,
    );
  }

  /** Sends what waits in requests that outlive the page, and stores it, because nobody sees whether they succeed. */
  function leave(): void {
    const isPausing = pause !== undefined;
    for (const batch of isPausing ? [] : waiting.slice(isSending ? 1 : 0)) {
      const [operation, body] = requestOf(batch);
      const url = urlOf(operation);
      if (url !== undefined) void post(url, body, true);
    }
    // A change of a list that is on its way is not sent again: it would be made twice.
    storeUnsent(waiting.filter(({ patch }) => !patch || isPausing));
  }

  addEventListener('pagehide', leave);
  addEventListener('online', () => {
    clearTimeout(pause);
    pause = undefined;
    start();
  });

  return {
    add(batch) {
      const last = waiting[waiting.length - 1];
      const isOnItsWay = isSending && waiting.length === 1;
      if (!last || isOnItsWay || !addTo(last, batch)) waiting.push(batch);
      if (waiting.length > MAX_WAITING) waiting.splice(isSending ? 1 : 0, 1);
      start();
    },
    resume() {
      waiting = [...takeUnsent(), ...waiting];
      start();
    },
  };
}
