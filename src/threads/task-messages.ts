/** What one task came to; a thread that is ended tells nothing of the others. */
export type TaskResult<Answer> = { answer: Answer } | { failed: TaskFailure; reason: string };

/** It took too long, had its thread end (as for want of memory), or threw an error. */
export type TaskFailure = 'too_slow' | 'thread_ended' | 'error';

export interface TaskBatch<Task> {
  tasks: readonly Task[];
  /** Milliseconds after which no other task begins. */
  budgetMs: number;
}

/** `usedMs` is the CPU time of a batch; of the first nothing, as it loads what all need. */
export type FromTaskThread<Answer> =
  | { kind: 'ready' }
  | { kind: 'results'; results: TaskResult<Answer>[]; usedMs: number };

export interface TaskThreadSetup {
  /** Two 32-bit integers. */
  progress: SharedArrayBuffer;
}

/** Where in `progress` stands how many tasks have begun, and which of the batch is worked on: its index, or `IDLE`. */
export const [BEGUN, CURRENT] = [0, 1] as const;
export const IDLE = -1;
