import { createHash } from 'node:crypto';

/** Returns a number from 0 to below 100 for whoever draws at a step: a run, or a customer of an automation. */
export type Draw = (drawer: string, stepId: string) => number;

/** The same drawer at the same step always draws the same, so that a step which is repeated decides the same. */
export const drawByHash: Draw = (drawer, stepId) => {
  const digest = createHash('sha256').update(`${drawer}:${stepId}`).digest();
  return (digest.readUInt32BE(0) / 2 ** 32) * 100;
};
