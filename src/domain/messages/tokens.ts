import { formatUuid, writeUuid } from '../../ids/uuid-text.ts';
import type { Signer } from '../secrets/secrets.ts';
import type { MessageChannel } from './core/message.ts';

/** What a link in a message may do. */
const KINDS = ['unsubscribe', 'preferences', 'view', 'confirm'] as const;
export type TokenKind = (typeof KINDS)[number];

/** What a link in a message knows: of whom it is, and of which message. */
export interface MessageToken {
  kind: TokenKind;
  storeId: string;
  profileId: string;
  messageId: string;
  /** What it was sent through, and what choices by its links are about. */
  channel: MessageChannel;
}

const VERSION = 1;
/** Beside the kind of a token, that it is one of a text message. */
const SMS = 0x80;
/** Bytes of what is signed, and of the signature. */
const [CONTENT, SIGNATURE] = [2 + 3 * 16, 16];
const TOKEN = /^[\w-]{88}$/;

/** Returns a token as it stands in a link. It has all that it is about, so it works when the database does not know that. */
export function writeToken(signer: Signer, { kind, channel, storeId, profileId, messageId }: MessageToken): string {
  const content = Buffer.alloc(CONTENT);
  content[0] = VERSION;
  content[1] = KINDS.indexOf(kind) | (channel === 'sms' ? SMS : 0);
  for (const [i, id] of [storeId, profileId, messageId].entries()) writeUuid(id, content, 2 + 16 * i);
  return Buffer.concat([content, signer.sign(content, SIGNATURE)]).toString('base64url');
}

/** Undefined if it is not a token of this kind that the service has signed. */
export function readToken(signer: Signer, kind: TokenKind, text: string): MessageToken | undefined {
  if (!TOKEN.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // One token has one form.
  if (bytes.toString('base64url') !== text) return undefined;
  const content = bytes.subarray(0, CONTENT);
  const [version, what = 0] = content;
  if (version !== VERSION || (what & ~SMS) !== KINDS.indexOf(kind)) return undefined;
  if (!signer.verify(content, bytes.subarray(CONTENT))) return undefined;
  const idAt = (i: number) => formatUuid(content.subarray(2 + 16 * i, 18 + 16 * i));
  const channel = (what & SMS) === 0 ? 'email' : 'sms';
  return { kind, storeId: idAt(0), profileId: idAt(1), messageId: idAt(2), channel };
}

/** Where the links of a message lead to, which no request of it needs a key for. */
export interface MessageLinks {
  unsubscribe: string;
  preferences: string;
  view: string;
}

type OfMessage = Omit<MessageToken, 'kind'>;

/** `publicUrl` has no slash at its end. */
export function linksOf(signer: Signer, publicUrl: string, of: OfMessage): MessageLinks {
  const link = (kind: TokenKind, place: string) => `${publicUrl}/m/${place}/${writeToken(signer, { ...of, kind })}`;
  return { unsubscribe: link('unsubscribe', 'u'), preferences: link('preferences', 'p'), view: link('view', 'v') };
}

/** Where a customer confirms that they subscribe to a list, by the message that asks them to. */
export function confirmationLink(signer: Signer, publicUrl: string, of: OfMessage): string {
  return `${publicUrl}/m/confirm/${writeToken(signer, { ...of, kind: 'confirm' })}`;
}
