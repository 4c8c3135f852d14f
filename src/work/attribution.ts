import { extname } from 'node:path';
import { findUnread, READER } from '../domain/tracking/attribution/reader.ts';
import type { Work } from '../engine/engine.ts';

/** To each server. */
export const CONNECTIONS = 2;

/** What messages earn: orders are credited to them. */
export const ATTRIBUTION: Work = {
  name: 'attribution',
  module: new URL(`./attribution-thread${extname(import.meta.url)}`, import.meta.url),
  turn: 'turn at attribution',
  find: findUnread,
  rows: `feed_reader where name = '${READER}'`,
  maxMemory: 128,
};
