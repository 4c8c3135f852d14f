import { extname } from 'node:path';
import { findDueSenders } from '../domain/messages/sending/find-due.ts';
import type { Work } from '../engine/engine.ts';
import type { YieldingSetup } from '../engine/right-of-way.ts';
import type { OutwardSetup } from './webhooks.ts';

/** To each server. */
export const CONNECTIONS = 4;
/** Milliseconds before a sender is taken again whose turn has failed. */
const PAUSE_MS = 2_000;

/** The sending of messages. Each sender has its own turn, so that none waits for another. */
export const MESSAGES: Work = {
  name: 'messages',
  module: new URL(`./messages-thread${extname(import.meta.url)}`, import.meta.url),
  turn: 'sending of messages',
  ignoresCurrent: true,
  pauseMs: [PAUSE_MS, PAUSE_MS],
  find: async (db) => (await findDueSenders(db)).map(({ storeId, senderId }) => `${storeId}/${senderId}`),
  rows: 'message',
  // Of what a message takes, most is outside the heap.
  youngMemory: 24,
};

export interface MessagesSetup extends OutwardSetup, YieldingSetup {
  /** Messages under way at a time. */
  underWay: number;
  /** Without a slash at its end. */
  publicUrl: string;
  /** Of the server that the operator offers to all stores. */
  smtpUrl: string | undefined;
  /** Where Twilio takes text messages, without a slash at its end. */
  twilioUrl: string;
}
