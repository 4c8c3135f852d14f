/**
 * Runs a task periodically, never two runs at once; the task must not reject. The returned function stops it and waits
 * for a run in progress, after which the task's resources can be closed.
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
