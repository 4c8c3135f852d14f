import { extname } from 'node:path';
import { findDueSenders } from '../domain/messages/sending/find-due.ts';
import type { SecretKey } from '../domain/secrets/secrets.ts';
import type { EngineSetup, Work } from '../engine/engine.ts';

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

export interface MessagesSetup extends EngineSetup {
  /** Of `RequestLoad`. */
  requestLoad: SharedArrayBuffer;
  /** Messages under way at a time. */
  underWay: number;
  keys: readonly SecretKey[];
  /** Without a slash at its end. */
  publicUrl: string;
  /** Of the server that the operator offers to all stores. */
  smtpUrl: string | undefined;
  /** Where Twilio takes text messages, without a slash at its end. */
  twilioUrl: string;
  allowedNetworks: readonly string[];
  /** Whether endpoints may be called by `http` beside `https`. */
  allowHttp: boolean;
}
