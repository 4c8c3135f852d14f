import { formatUuid, writeUuid } from '../../ids/uuid-text.ts';
import type { Signer } from '../secrets/secrets.ts';

/** Whose messages a hook is about. */
export interface HookToken {
  storeId: string;
  senderId: string;
}

/** For which purpose they are signed. */
export const HOOKS = 'feedback-hooks';

const VERSION = 1;
/** Bytes of what is signed, and of the signature. */
const [CONTENT, SIGNATURE] = [1 + 2 * 16, 16];
const TOKEN = /^[\w-]{66}$/;

/** Returns where a provider tells what becomes of messages of a sender, without a slash at the end. `publicUrl` has none either. */
export function hookUrl(signer: Signer, publicUrl: string, token: HookToken): string {
  return `${publicUrl}/m/hooks/${writeHookToken(signer, token)}`;
}

/** Returns where the provider of a sender sends its hooks. */
export function eventsUrl(signer: Signer, publicUrl: string, token: HookToken): string {
  return `${hookUrl(signer, publicUrl, token)}/events`;
}

/** Signed, so that nobody asks the database for senders by guessing. */
export function writeHookToken(signer: Signer, { storeId, senderId }: HookToken): string {
  const content = Buffer.alloc(CONTENT);
  content[0] = VERSION;
  writeUuid(storeId, content, 1);
  writeUuid(senderId, content, 17);
  return Buffer.concat([content, signer.sign(content, SIGNATURE)]).toString('base64url');
}

/** Undefined if it is not a token that the service has signed. */
export function readHookToken(signer: Signer, text: string): HookToken | undefined {
  if (!TOKEN.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // One token has one form.
  if (bytes.toString('base64url') !== text) return undefined;
  const content = bytes.subarray(0, CONTENT);
  if (content[0] !== VERSION || !signer.verify(content, bytes.subarray(CONTENT))) return undefined;
  return { storeId: formatUuid(content.subarray(1, 17)), senderId: formatUuid(content.subarray(17, 33)) };
}
