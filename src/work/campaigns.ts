import { extname } from 'node:path';
import { findDueCampaigns } from '../domain/campaigns/engine/find-due.ts';
import type { Work } from '../engine/engine.ts';

/** To each server. */
export const CONNECTIONS = 2;

/** What campaigns do by themselves: they begin, look for their recipients, and end. Each has its own turn. */
export const CAMPAIGNS: Work = {
  name: 'campaigns',
  module: new URL(`./campaigns-thread${extname(import.meta.url)}`, import.meta.url),
  turn: 'turn at campaigns',
  ignoresCurrent: true,
  // A range is one statement, which may take seconds where it is large.
  stuckMs: 10_000,
  find: async (db) => (await findDueCampaigns(db)).map(({ storeId, id }) => `${storeId}/${id}`),
  rows: 'campaign where due_at is not null',
};
