import { formatUuid, writeUuid } from '../../ids/uuid-text.ts';
import { Signer } from '../secrets/secrets.ts';

/** What the clicks and opens of a message are known by. It can be handed to a thread. */
export interface TrackedMessage {
  keys: readonly Uint8Array[];
  /** Of the links, without a slash at its end. */
  publicUrl: string;
  storeId: string;
  messageId: string;
  clicks: boolean;
  opens: boolean;
}

/** What a link or the image of a message knows. */
export interface TrackedToken {
  storeId: string;
  messageId: string;
  /** Of the link, from 1; 0 for the one that nobody sees, and for an image. */
  link: number;
}

/** For which purpose they are signed. */
export const TRACKED_LINKS = 'tracked-links';

const VERSION = 1;
const [CLICK, OPEN] = [0, 1] as const;
/** Bytes of what is signed, and of the signature. */
const [CONTENT, SIGNATURE] = [2 + 2 * 16 + 2, 16];
const TOKEN = /^[\w-]{70}$/;
/** Characters of a URL: a longer one is left as it is, as some programs cut what is longer. */
const MAX_URL = 2_000;

/** Returns what a link leads to in place of its URL. Undefined where the URL is left as it is. */
export function clickLinks(message: TrackedMessage): ((number: number, url: string) => string) | undefined {
  if (!message.clicks) return undefined;
  const signer = new Signer(message.keys);
  const own = `${message.publicUrl}/m/`;
  /** The HTML and the text of a message have the same ones. */
  const made = new Map<string, string>();
  return (number, url) => {
    // By whatever way it came into the template: nobody's choice is to depend on what is counted.
    if (url.startsWith(own) || !isTrackable(url)) return url;
    const key = `${number} ${url}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const link = `${own}c/${write(signer, CLICK, { ...message, link: number }, url)}?u=${encodeURIComponent(url)}`;
    made.set(key, link);
    return link;
  };
}

/** Returns HTML for the end of a message: the image by which it is known to be opened, and a link that nobody sees. */
export function unseenParts(message: TrackedMessage): string {
  const signer = new Signer(message.keys);
  const of = (kind: number) => write(signer, kind, { ...message, link: 0 }, '');
  const link = `<a href="${message.publicUrl}/m/c/${of(CLICK)}" style="display:none" aria-hidden="true" tabindex="-1"></a>`;
  const image = `<img src="${message.publicUrl}/m/o/${of(OPEN)}" width="1" height="1" alt="" style="border:0">`;
  return (message.clicks ? link : '') + (message.opens ? image : '');
}

/**
 * Returns whose a click is, and where it leads; undefined if the service has not signed both. The hidden link leads nowhere.
 * No more is needed to follow it, whether or not anything is still known of the message.
 */
export function readClick(
  signer: Signer,
  text: string,
  url: string | undefined,
): { token: TrackedToken; url: string | undefined } | undefined {
  const token = read(signer, CLICK, text, url ?? '');
  if (!token) return undefined;
  if (token.link === 0) return { token, url: undefined };
  return url !== undefined && isTrackable(url) ? { token, url: new URL(url).href } : undefined;
}

export function readOpen(signer: Signer, text: string): TrackedToken | undefined {
  return read(signer, OPEN, text, '');
}

function isTrackable(url: string): boolean {
  return url.length <= MAX_URL && /^https?:/i.test(url) && URL.canParse(url);
}

function write(signer: Signer, kind: number, { storeId, messageId, link }: TrackedToken, url: string): string {
  const content = Buffer.alloc(CONTENT);
  content[0] = VERSION;
  content[1] = kind;
  writeUuid(storeId, content, 2);
  writeUuid(messageId, content, 18);
  content.writeUInt16BE(link, 34);
  return Buffer.concat([content, signer.sign(signedOf(content, url), SIGNATURE)]).toString('base64url');
}

function read(signer: Signer, kind: number, text: string, url: string): TrackedToken | undefined {
  if (!TOKEN.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // One token has one form.
  if (bytes.toString('base64url') !== text) return undefined;
  const content = bytes.subarray(0, CONTENT);
  if (content[0] !== VERSION || content[1] !== kind) return undefined;
  if (!signer.verify(signedOf(content, url), bytes.subarray(CONTENT))) return undefined;
  return {
    storeId: formatUuid(content.subarray(2, 18)),
    messageId: formatUuid(content.subarray(18, 34)),
    link: content.readUInt16BE(34),
  };
}

function signedOf(content: Buffer, url: string): Buffer {
  return Buffer.concat([content, Buffer.from(url)]);
}
