import { extname } from 'node:path';
import { READER as ITEMS } from '../domain/catalog/activity/reader.ts';
import { storesWithUnread } from '../domain/feed/readers.ts';
import { findUnready, READER as ORDERS } from '../domain/orders/reader/find-unread.ts';
import { READER } from '../domain/tracking/attribution/reader.ts';
import type { Work } from '../engine/engine.ts';

/** To each server. */
export const CONNECTIONS = 2;

/** The readers of a store's feed that it has, some or all. */
export const READERS = [READER, ITEMS, ORDERS] as const;

/** What messages earn: orders are credited to them. And what customers do with items, and order, which is read from the same events. */
export const ATTRIBUTION: Work = {
  name: 'attribution',
  module: new URL(`./attribution-thread${extname(import.meta.url)}`, import.meta.url),
  turn: 'turn at attribution',
  async find(db) {
    return [...new Set([...(await storesWithUnread(db, READERS)), ...(await findUnready(db))])];
  },
  rows: `feed_reader where name in (${READERS.map((name) => `'${name}'`).join(', ')})`,
  maxMemory: 128,
};
