import { extname } from 'node:path';
import { findUnread as findUnreadActivity, READER as ITEMS } from '../domain/catalog/activity/reader.ts';
import { findUnread, READER } from '../domain/tracking/attribution/reader.ts';
import type { Work } from '../engine/engine.ts';

/** To each server. */
export const CONNECTIONS = 2;

/** What messages earn: orders are credited to them. And what customers do with items, which is read from the same events. */
export const ATTRIBUTION: Work = {
  name: 'attribution',
  module: new URL(`./attribution-thread${extname(import.meta.url)}`, import.meta.url),
  turn: 'turn at attribution',
  find: async (db) => [...new Set([...(await findUnread(db)), ...(await findUnreadActivity(db))])],
  rows: `feed_reader where name in ('${READER}', '${ITEMS}')`,
  maxMemory: 128,
};
