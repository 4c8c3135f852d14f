import type { Log } from './log.ts';

const CHECK_MS = 50;
/**
 * Milliseconds of uninterrupted work that are worth a line in the log; nothing should take more than a fifth of that.
 */
export const STALL_MS = 250;

/**
 * Reports when this thread has worked for so long without a pause that no request was served. It counts the thread's
 * CPU time, so a busy machine or a suspended process is no stall. The returned function stops the monitor.
 */
export function monitorEventLoop(onStall: (ms: number) => void): () => void {
  let checkedAt = performance.now();
  let usage = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const isLate = now - checkedAt - CHECK_MS >= STALL_MS;
    checkedAt = now;
    const { user, system } = process.threadCpuUsage(usage);
    usage = process.threadCpuUsage();
    const worked = (user + system) / 1000;
    if (isLate && worked >= STALL_MS) onStall(Math.round(worked));
  }, CHECK_MS).unref();
  return () => clearInterval(timer);
}

export const STALL_MESSAGE = 'the event loop stood still';

export function logStalls(log: Log): () => void {
  return monitorEventLoop((ms) => log.warn({ ms }, STALL_MESSAGE));
}
