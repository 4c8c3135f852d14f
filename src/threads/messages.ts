/** A message from a process to one of its threads. */
export type ToThread<Question> = { kind: 'ask'; id: number; question: Question } | { kind: 'ping' } | { kind: 'stop' };

/** A message from a thread to its process. A `notice` was not asked for; `log` is a line for the log, as JSON. */
export type FromThread<Answer, Notice> =
  | { kind: 'ready' }
  | { kind: 'failed'; reason: string }
  | { kind: 'answer'; id: number; answer: Answer }
  | { kind: 'error'; id: number; reason: string }
  | { kind: 'notice'; notice: Notice }
  | { kind: 'log'; line: string }
  | { kind: 'pong' };

/** The setup of a thread; `data` must be structured-cloneable. */
export interface ThreadSetup<Data> {
  data: Data;
  logLevel: string;
}
