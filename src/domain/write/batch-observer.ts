/**
 * What is written together: `group` are single requests that share a transaction, `bulk` is one request, and `import`
 * a chunk of a bulk job.
 */
export type BatchSource = 'group' | 'bulk' | 'import';

/** Is told of each batch that was written: how many events or profiles, and how many seconds it took. */
export type BatchObserver = (source: BatchSource, items: number, seconds: number) => void;
