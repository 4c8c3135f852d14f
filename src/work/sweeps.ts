import { extname } from 'node:path';
import { findStoresWithSweeps } from '../domain/sweeps/find-due.ts';
import type { Work } from '../engine/engine.ts';

/** To each server. */
export const CONNECTIONS = 2;

/** What is left of customers who are erased, or merged into others. */
export const SWEEPS: Work = {
  name: 'sweeps',
  module: new URL(`./sweeps-thread${extname(import.meta.url)}`, import.meta.url),
  turn: 'turn at sweeps',
  find: findStoresWithSweeps,
  rows: '(select due_at from erasure union all select due_at from profile_merge) as sweep where due_at is not null',
  // A transaction deletes or changes hundreds of rows, and rests after it.
  stuckMs: 10_000,
  maxMemory: 128,
};
