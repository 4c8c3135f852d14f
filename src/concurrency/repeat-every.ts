/**
 * Runs a task now and then, never twice at once; it must not reject. The returned function ends that, and waits for a
 * run under way: what the task uses may be closed then.
 */
export function repeatEvery(ms: number, task: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= task().finally(() => {
      running = undefined;
    });
  }, ms).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
