import { extname } from 'node:path';
import { findWork } from '../domain/automations/engine/find-work.ts';
import type { Work } from '../engine/engine.ts';

/** What automations have to do. */
export const AUTOMATIONS: Work = {
  name: 'automations',
  module: new URL(`./automations-thread${extname(import.meta.url)}`, import.meta.url),
  turn: 'turn at automations',
  find: async (db) => (await findWork(db, Date.now())).map(({ storeId }) => storeId),
  rows: 'automation',
};

/** Runs that have failed for good, or were ended or not started as too much has followed from one event already. */
export interface RunsLost {
  why: 'failed' | 'cut';
  runs: number;
}
