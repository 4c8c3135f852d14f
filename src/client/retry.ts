import { FootfallError } from './error.ts';

/** How long a call goes on trying. */
export interface Patience {
  /** Requests for one call, at most. */
  maxAttempts: number;
  /** Milliseconds for one call: all of its attempts, and the waiting between them. */
  timeoutMs: number;
  /** Milliseconds for one attempt. */
  attemptTimeoutMs: number;
}

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/**
 * Attempts a request until it succeeds, fails for good, or patience ends; then throws the last error. A request that
 * is not `repeatable` is repeated only where the service refused it.
 */
export async function retrying<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { maxAttempts, timeoutMs, attemptTimeoutMs }: Patience,
  repeatable: boolean,
  signal: AbortSignal | undefined,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await within(Math.min(attemptTimeoutMs, deadline - Date.now()), attempt, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof FootfallError) || !mayRepeat(error, repeatable) || attempts >= maxAttempts) throw error;
      const wait = (error.retryAfter ?? 0) * 1000 + backoff(attempts);
      if (Date.now() + wait >= deadline) throw error;
      await sleep(wait, signal);
    }
  }
}

function mayRepeat(error: FootfallError, repeatable: boolean): boolean {
  if (error.refused) return true;
  return repeatable && (error.status === undefined || error.status >= 500);
}

/** A random part of a time that doubles, so that clients which failed together don't come back together. */
function backoff(attempts: number): number {
  return Math.random() * Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), LONGEST_BACKOFF_MS);
}

async function within<T>(
  ms: number,
  attempt: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new DOMException(`No answer within ${ms} ms`, 'TimeoutError')), ms);
  try {
    return await attempt(AbortSignal.any([timeout.signal, ...(signal ? [signal] : [])]));
  } finally {
    clearTimeout(timer);
  }
}

/** Waits, or throws the reason of an abort. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
  signal?.throwIfAborted();
}
