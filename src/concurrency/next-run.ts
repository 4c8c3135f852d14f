/**
 * Shares runs of some work, one at a time. Each caller gets the result of one that begins after the call, and so sees
 * whatever happened before it.
 */
export function nextRun<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const run = work();
      running = run.catch(() => {});
      return run;
    });
    return next;
  };
}
