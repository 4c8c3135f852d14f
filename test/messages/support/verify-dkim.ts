import { createHash, createPublicKey, verify } from 'node:crypto';

/** What a signature says, once it has been found to hold. */
export interface Verified {
  domain: string;
  selector: string;
  /** Names of headers, in lower case. */
  signed: string[];
}

/**
 * Verifies the DKIM signature of a message as RFC 6376 has it for `relaxed/relaxed`, line by line and by nothing of the
 * service. Throws if it does not hold. `record`: what is published.
 */
export function verifyDkim(raw: Buffer, record: string): Verified {
  const text = raw.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const headers: string[] = [];
  for (const line of text.slice(0, end).split('\r\n')) {
    if (/^[ \t]/.test(line)) headers.push(`${headers.pop()}\r\n${line}`);
    else headers.push(line);
  }
  const signature = headers.find((header) => /^dkim-signature:/i.test(header)) ?? '';
  const tags = tagsOf(signature.slice(signature.indexOf(':') + 1));
  if (tags.v !== '1' || tags.a !== 'rsa-sha256' || tags.c !== 'relaxed/relaxed') throw new Error('Another signature');
  const bodyHash = createHash('sha256')
    .update(canonicalBody(text.slice(end + 4)), 'latin1')
    .digest('base64');
  if (bodyHash !== tags.bh) throw new Error('The body is another one');
  const left = headers.filter((header) => header !== signature);
  const signed = (tags.h ?? '').split(':').map((name) => name.toLowerCase());
  const canonical = signed.flatMap((name) => {
    // From the bottom up, each once; nothing where there is none.
    const at = left.findLastIndex((header) => header.split(':')[0]?.trim().toLowerCase() === name);
    return at < 0 ? [] : left.splice(at, 1).map((header) => `${canonicalHeader(header)}\r\n`);
  });
  const data = `${canonical.join('')}${canonicalHeader(signature.replace(/([;\s]b=)[^;]*/, '$1'))}`;
  const published = tagsOf(record);
  if (published.v !== 'DKIM1' || published.k !== 'rsa') throw new Error('Another record');
  const key = createPublicKey({ key: Buffer.from(published.p ?? '', 'base64'), format: 'der', type: 'spki' });
  const holds = verify('sha256', Buffer.from(data, 'latin1'), key, Buffer.from(tags.b ?? '', 'base64'));
  if (!holds) throw new Error('The signature does not hold');
  return { domain: tags.d ?? '', selector: tags.s ?? '', signed };
}

function tagsOf(list: string): Record<string, string> {
  const pairs = list.split(';').map((tag): [string, string] => {
    const at = tag.indexOf('=');
    return [tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s+/g, '')];
  });
  return Object.fromEntries(pairs);
}

function canonicalHeader(header: string): string {
  const [, name = '', value = ''] = /^([^:]*):([\s\S]*)$/.exec(header) ?? [];
  return `${name.trim().toLowerCase()}:${value
    .split('\r\n')
    .join('')
    .split(/[ \t]+/)
    .join(' ')
    .trim()}`;
}

function canonicalBody(body: string): string {
  const lines = body.split('\r\n').map((line) =>
    line
      .split(/[ \t]+/)
      .join(' ')
      .replace(/ $/, ''),
  );
  while (lines.at(-1) === '') lines.pop();
  return lines.map((line) => `${line}\r\n`).join('');
}
