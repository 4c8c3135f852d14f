import { createHash } from 'node:crypto';

/** Returns a number from 0 to below 100 for a run at a step. */
export type Draw = (runId: string, stepId: string) => number;

/** The same run at the same step always draws the same, so that a step which is repeated decides the same. */
export const drawByHash: Draw = (runId, stepId) => {
  const digest = createHash('sha256').update(`${runId}:${stepId}`).digest();
  return (digest.readUInt32BE(0) / 2 ** 32) * 100;
};
