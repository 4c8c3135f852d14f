/** What a process tells one of its threads. */
export type ToThread<Question> = { kind: 'ask'; id: number; question: Question } | { kind: 'ping' } | { kind: 'stop' };

/** What a thread tells its process. A `notice` is news that nobody asked for; `log` is a line for the log, as JSON. */
export type FromThread<Answer, Notice> =
  | { kind: 'ready' }
  | { kind: 'failed'; reason: string }
  | { kind: 'answer'; id: number; answer: Answer }
  | { kind: 'error'; id: number; reason: string }
  | { kind: 'notice'; notice: Notice }
  | { kind: 'log'; line: string }
  | { kind: 'pong' };

/** How a thread is set up; what is in `data` has to be structured-cloneable. */
export interface ThreadSetup<Data> {
  data: Data;
  logLevel: string;
}
