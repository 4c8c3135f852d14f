import { workerData } from 'node:worker_threads';
import { serveThread } from '../../../src/threads/serve-thread.ts';

// As slow to start as somebody wants it to be.
Atomics.wait(new Int32Array(workerData.data.gate), 0, 0);

serveThread<unknown, 'echo' | 'hang', string>(async () => ({
  async answer(question) {
    while (question === 'hang');
    return { answer: question };
  },
  stop: async () => {},
}));
