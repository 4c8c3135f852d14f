import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { surviveDatabaseFailures } from '../db/survive-failures.ts';
import { createThreadLog, type Log } from '../process/log.ts';
import type { FromThread, ThreadSetup, ToThread } from './messages.ts';

/** If CPU is scarce, what nobody waits for comes last. */
const NICENESS = 10;

/** The work of a thread. */
export interface Work<Question, Answer> {
  /**
   * Processes a request; must not reject because of what the request contains. Buffers in `transfer` are transferred.
   */
  answer?(question: Question): Promise<{ answer: Answer; transfer?: ArrayBuffer[] }>;
  /** Called once what is in flight has been answered. */
  stop(): Promise<void>;
}

export interface ThreadTools<Data, Notice> {
  data: Data;
  log: Log;
  notify(notice: Notice): void;
  /** Aborted when the thread is to stop, and waits for what is in flight. */
  stopping: AbortSignal;
}

export interface ThreadTraits {
  /** Whether a client waits for what it does: then it has as much of the CPU as the main thread. */
  isAwaited?: boolean;
}

/** Runs in a thread: opens its resources, responds to its process, and exits when told to. */
export function serveThread<Data, Question = never, Answer = never, Notice = never>(
  open: (tools: ThreadTools<Data, Notice>) => Promise<Work<Question, Answer>>,
  { isAwaited = false }: ThreadTraits = {},
): void {
  if (!parentPort) throw new Error('This runs in a thread of the service');
  const port = parentPort;
  // On other platforms it would be the priority of the whole process.
  if (!isAwaited && process.platform === 'linux') setPriority(NICENESS);
  const { data, logLevel } = workerData as ThreadSetup<Data>;
  const send = (message: FromThread<Answer, Notice>, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const log = createThreadLog(logLevel, (line) => send({ kind: 'log', line }));
  surviveDatabaseFailures(log);

  const stopping = new AbortController();
  const notify = (notice: Notice) => send({ kind: 'notice', notice });
  const opened = open({ data, log, notify, stopping: stopping.signal });
  opened.then(
    () => send({ kind: 'ready' }),
    (error: Error) => send({ kind: 'failed', reason: error.message }),
  );
  const inFlight = new Set<Promise<void>>();
  const answer = async (work: Work<Question, Answer>, id: number, question: Question) => {
    try {
      const { answer, transfer } = await (work.answer as NonNullable<typeof work.answer>)(question);
      send({ kind: 'answer', id, answer }, transfer);
    } catch (error) {
      send({ kind: 'error', id, reason: (error as Error).message });
    }
  };
  port.on('message', async (message: ToThread<Question>) => {
    if (message.kind === 'ping') return send({ kind: 'pong' });
    const work = await opened;
    if (message.kind === 'stop') {
      stopping.abort();
      await Promise.all(inFlight);
      await work.stop().catch((err) => log.warn({ err }, 'a thread did not end cleanly'));
      process.exit();
    }
    const answering = answer(work, message.id, message.question).finally(() => inFlight.delete(answering));
    inFlight.add(answering);
  });
}
