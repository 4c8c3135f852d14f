import { extname } from 'node:path';
import { findStoresWithErasures } from '../domain/erasures/find-due.ts';
import type { Work } from '../engine/engine.ts';

/** To each server. */
export const CONNECTIONS = 2;

/** What is left of customers who are erased. */
export const ERASURES: Work = {
  name: 'erasures',
  module: new URL(`./erasures-thread${extname(import.meta.url)}`, import.meta.url),
  turn: 'turn at erasures',
  find: findStoresWithErasures,
  rows: 'erasure where due_at is not null',
  // A transaction deletes hundreds of rows, and rests as long after it.
  stuckMs: 10_000,
  maxMemory: 128,
};
