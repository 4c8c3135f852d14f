import { derivedId } from '../../../ids/derived-id.ts';

/** Returns the id of the message that a run has queued: by the number of that entry of its timeline, and its time. */
export function messageOfRun({ runId, seq, at }: { runId: string; seq: number; at: number }): string {
  return derivedId(at, `${runId} ${seq}`);
}
