import { createPrivateKey, hash, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { Secrets } from '../secrets/secrets.ts';
import { domainOf } from '../senders/address.ts';
import { placeOfDkimKey } from '../senders/dkim-keys.ts';
import type { SenderWithSealed } from '../senders/find-senders.ts';

/** Returns a mail with a signature in front. */
export type SignMail = (raw: Buffer) => Promise<Buffer>;

/** Headers that are signed where a mail has them. Those that decide what is shown are named once more: none can be added. */
const SIGNED = ['from', 'to', 'reply-to', 'subject', 'date', 'message-id'];
const ONCE = ['list-unsubscribe', 'list-unsubscribe-post', 'auto-submitted', 'mime-version', 'content-type'];
const [HEAD_END, LINE] = ['\r\n\r\n', 72];

const signApart = promisify(sign);

/**
 * Returns what signs the mails of a sender; undefined where its relay does, or nobody. Throws `Unopenable`.
 */
export function mailSigner(
  storeId: string,
  { sender, sealedDkimKey }: Pick<SenderWithSealed, 'sender' | 'sealedDkimKey'>,
  secrets: Secrets,
): SignMail | undefined {
  const { id, fromEmail, dkimSelector } = sender;
  if (sealedDkimKey === null || dkimSelector === null || fromEmail === null) return undefined;
  const bytes = Buffer.from(secrets.open(sealedDkimKey, placeOfDkimKey(storeId, id)), 'base64');
  const key = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
  return async (raw) => {
    const [head, body] = parts(raw);
    const headers = head.split(/\r\n(?![ \t])/);
    const names = headers.map(nameOf);
    const signed = [...SIGNED, ...ONCE].filter((name) => names.includes(name));
    const list = [...signed, ...SIGNED];
    const own = [
      'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;',
      ` d=${domainOf(fromEmail)}; s=${dkimSelector}; t=${Math.floor(Date.now() / 1000)};`,
      ` h=${list.join(':\r\n  ')};`,
      ` bh=${hash('sha256', relaxedBody(body), 'base64')};`,
      ' b=',
    ].join('\r\n');
    // Of several with one name, the last is signed; ours have each once, and nothing stands for the second time.
    const data = [
      ...signed.map((name) => relaxedHeader(headers[names.lastIndexOf(name)] as string)),
      relaxedHeader(own),
    ];
    const signature = await signApart('sha256', Buffer.from(data.join('\r\n'), 'latin1'), key);
    const lines = signature.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g')) as string[];
    return Buffer.concat([Buffer.from(`${own}${lines.join('\r\n ')}\r\n`), raw]);
  };
}

/** In Latin 1: each byte is a character, and stays what it is. */
function parts(raw: Buffer): [head: string, body: Buffer] {
  const end = raw.indexOf(HEAD_END);
  return end < 0 ? [raw.toString('latin1'), Buffer.alloc(0)] : [raw.toString('latin1', 0, end), raw.subarray(end + 4)];
}

function nameOf(header: string): string {
  return header.slice(0, header.indexOf(':')).trim().toLowerCase();
}

/** RFC 6376, 3.4.2. */
export function relaxedHeader(header: string): string {
  const value = header.slice(header.indexOf(':') + 1);
  const line = value.replace(/\r\n/g, '').replace(/[ \t]+/g, ' ');
  return `${nameOf(header)}:${line.replace(/^ | $/g, '')}`;
}

/** RFC 6376, 3.4.4. */
export function relaxedBody(body: Buffer): Buffer {
  const text = body
    .toString('latin1')
    .replace(/[ \t]+(?=\r\n|$)/g, '')
    .replace(/[ \t]+/g, ' ');
  const tidy = text.replace(/(?:\r\n)+$/, '');
  return Buffer.from(tidy === '' ? '' : `${tidy}\r\n`, 'latin1');
}
