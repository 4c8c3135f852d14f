import { threadId } from 'node:worker_threads';
import { serveTasks } from '../../../src/threads/serve-tasks.ts';

/** What a test has the thread do. */
export type TestTask = 'id' | 'hang' | 'wait for ever' | 'throw' | 'exit' | 'fill the memory' | { ms: number };

serveTasks<TestTask, number>(async (task) => {
  if (task === 'throw') throw new Error('It threw');
  if (task === 'exit') process.exit(1);
  if (task === 'wait for ever') await new Promise(() => {});
  while (task === 'hang');
  const kept: number[][] = [];
  while (task === 'fill the memory') kept.push(new Array(100_000).fill(kept.length));
  if (typeof task === 'object') {
    const end = performance.now() + task.ms;
    while (performance.now() < end);
  }
  return threadId;
});
