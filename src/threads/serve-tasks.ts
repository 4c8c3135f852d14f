import { parentPort, workerData } from 'node:worker_threads';
import {
  BEGUN,
  CURRENT,
  type FromTaskThread,
  IDLE,
  type TaskBatch,
  type TaskResult,
  type TaskThreadSetup,
} from './task-messages.ts';

/** Characters of the answers to a batch after which no other task begins, as all of them are in memory at once. */
const MAX_CHARACTERS = 1_000_000;

interface TaskTraits<Answer> {
  charactersOf?: (answer: Answer) => number;
  /** Buffers of an answer that are transferred rather than copied. */
  transferOf?: (answer: Answer) => ArrayBuffer[];
}

/** Runs in a thread that a `WatchedThread` started: performs tasks one after another. */
export function serveTasks<Task, Answer>(
  perform: (task: Task) => Answer | Promise<Answer>,
  { charactersOf = () => 0, transferOf = () => [] }: TaskTraits<Answer> = {},
): void {
  if (!parentPort) throw new Error('This runs in a thread of the service');
  const port = parentPort;
  const progress = new Int32Array((workerData as TaskThreadSetup).progress);
  const send = (message: FromTaskThread<Answer>, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  let isFirst = true;
  port.on('message', async ({ tasks, budgetMs }: TaskBatch<Task>) => {
    const results: TaskResult<Answer>[] = [];
    const end = performance.now() + budgetMs;
    const before = cpuMs();
    let characters = 0;
    for (const [i, task] of tasks.entries()) {
      Atomics.store(progress, CURRENT, i);
      Atomics.add(progress, BEGUN, 1);
      const result = await resultOf(perform, task);
      results.push(result);
      if ('answer' in result) characters += charactersOf(result.answer);
      if (performance.now() > end || characters > MAX_CHARACTERS) break;
    }
    Atomics.store(progress, CURRENT, IDLE);
    const transfer = results.flatMap((result) => ('answer' in result ? transferOf(result.answer) : []));
    send({ kind: 'results', results, usedMs: isFirst ? 0 : cpuMs() - before }, transfer);
    isFirst = false;
  });
  send({ kind: 'ready' });
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function resultOf<Task, Answer>(
  perform: (task: Task) => Answer | Promise<Answer>,
  task: Task,
): Promise<TaskResult<Answer>> {
  try {
    return { answer: await perform(task) };
  } catch (error) {
    return { failed: 'error', reason: (error as Error).message };
  }
}
