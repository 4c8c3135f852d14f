/**
 * Where a batch comes from: `group` is single requests that share a transaction, `bulk` one request, and `import` a
 * chunk of a bulk job.
 */
export type BatchSource = 'group' | 'bulk' | 'import';

/** Called after each batch with its number of events or profiles and its duration in seconds. */
export type BatchObserver = (source: BatchSource, items: number, seconds: number) => void;
