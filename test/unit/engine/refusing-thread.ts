import type { TurnResult } from '../../../src/engine/turns.ts';
import { serveThread } from '../../../src/threads/serve-thread.ts';

// It can't start until somebody lets it.
serveThread<{ gate: SharedArrayBuffer }, unknown, TurnResult>(async ({ data }) => {
  if (Atomics.load(new Int32Array(data.gate), 0) === 0) throw new Error('not yet');
  return { answer: async () => ({ answer: { isMore: false, hasFailed: false } }), stop: async () => {} };
});
