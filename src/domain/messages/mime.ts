import { hash } from 'node:crypto';

/** Who is named in a header: an address as it is on the wire, and perhaps a name, in any script. */
export interface Mailbox {
  name: string | null;
  email: string;
}

export interface Mail {
  from: Mailbox;
  to: string;
  replyTo: string | null;
  subject: string;
  /** Of the two texts, one that is empty is left out, if the other is not. */
  html: string;
  text: string;
  /** Further headers, in their order. Their values are free texts, or structured ones in ASCII. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Without angle brackets, such as `01a1f852-…@shop.example`. */
  messageId: string;
  date: Date;
}

/** Characters of a line: those that RFC 5322 recommends, and those that it permits. */
const LINE = 76;
const MAX_LINE = 998;
/** Bytes of an encoded word, so that a line has room for it beside the name of a header. */
const WORD_BYTES = 39;
/** Longer words of ASCII are encoded, where they may be, as lines can't be broken within them. */
const LONG_WORD = 60;
/** What a message has once, or must not have, and so can't be given as a further header. */
const OWN_HEADERS = /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*)$/i;

/**
 * Returns a message in the form in which it is sent, RFC 5322 and 2045, its lines ended by CR LF. What would break a header
 * out of its line becomes a space. Throws `TypeError` for addresses, ids and names of headers that are malformed: they are
 * checked before, and a value that should not be there must not be sent.
 */
export function buildMail({ from, to, replyTo, subject, html, text, headers, messageId, date }: Mail): Buffer {
  if (!/^[\w.+=-]{1,200}@[\w.-]{1,253}$/.test(messageId)) throw new TypeError('Malformed id of a message');
  const head = [
    mailboxHeader('From', from),
    mailboxHeader('To', { name: null, email: to }),
    ...(replyTo === null ? [] : [mailboxHeader('Reply-To', { name: null, email: replyTo })]),
    textHeader('Subject', subject),
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${messageId}>`,
    ...headers.map(([name, value]) => furtherHeader(name, value)),
    'MIME-Version: 1.0',
  ];
  return Buffer.from([...head, ...bodyOf(html, text, messageId), ''].join('\r\n'));
}

function bodyOf(html: string, text: string, messageId: string): string[] {
  if (html === '') return partOf('plain', text);
  if (text === '') return partOf('html', html);
  // Neither base64 nor another message has it.
  const boundary = `=_${hash('sha256', messageId, 'hex').slice(0, 32)}`;
  return [
    `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`,
    '',
    `--${boundary}`,
    ...partOf('plain', text),
    `--${boundary}`,
    ...partOf('html', html),
    `--${boundary}--`,
  ];
}

function partOf(type: 'plain' | 'html', content: string): string[] {
  return [`Content-Type: text/${type}; charset=utf-8`, 'Content-Transfer-Encoding: base64', '', base64Lines(content)];
}

function base64Lines(content: string): string {
  // In one piece first: that is five times as fast as line by line.
  const unix = content.includes('\r') ? content.replace(/\r\n?/g, '\n') : content;
  const encoded = Buffer.from(unix.replaceAll('\n', '\r\n')).toString('base64');
  let lines = encoded.slice(0, LINE);
  for (let at = LINE; at < encoded.length; at += LINE) lines += `\r\n${encoded.slice(at, at + LINE)}`;
  return lines;
}

function mailboxHeader(header: string, { name, email }: Mailbox): string {
  if (!/^[^\s\p{C}<>@"(),:;\\[\]]+@[^\s\p{C}<>@"(),:;\\[\]]+$/u.test(email)) throw new TypeError('Malformed address');
  const shown = name === null ? '' : onOneLine(name);
  if (shown === '') return `${header}: ${email}`;
  // Not every reader understands a quoted text that is broken.
  const isQuoted = isPlain(shown) && shown.length <= LONG_WORD;
  const phrase = isQuoted ? `"${shown.replace(/["\\]/g, '\\$&')}"` : encodedWords(shown);
  return fold(`${header}: ${phrase} <${email}>`);
}

function textHeader(header: string, value: string): string {
  const text = onOneLine(value);
  const words = isPlain(text) ? text : encodedWords(text);
  return fold(`${header}: ${words}`);
}

function furtherHeader(name: string, value: string): string {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,60}$/.test(name) || OWN_HEADERS.test(name)) {
    throw new TypeError(`${JSON.stringify(name)} can't be a further header`);
  }
  const text = onOneLine(value);
  // What has a structure must stay as it is, however long its words are.
  const words = /^[ -~]*$/.test(text) ? text : encodedWords(text);
  const folded = fold(`${name}: ${words}`);
  if (folded.split('\r\n').some((line) => line.length > MAX_LINE)) throw new TypeError(`${name} has too long a word`);
  return folded;
}

function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

/** Whether a text can be written as it is: not so what a reader would take for an encoded word. */
function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text) && !text.includes('=?') && text.split(' ').every((word) => word.length <= LONG_WORD);
}

/** RFC 2047. No character is cut. */
function encodedWords(text: string): string {
  const words: string[] = [];
  let [word, bytes] = ['', 0];
  const end = () => words.push(`=?utf-8?B?${Buffer.from(word).toString('base64')}?=`);
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > WORD_BYTES) {
      end();
      [word, bytes] = ['', 0];
    }
    word += character;
    bytes += size;
  }
  end();
  return words.join(' ');
}

/** Breaks a header before spaces, which stay. A single word may make a line longer than it should be. */
function fold(header: string): string {
  if (header.length <= LINE) return header;
  const lines: string[] = [];
  let line = '';
  for (const [word] of header.matchAll(/ *[^ ]+/g)) {
    if (line !== '' && line.length + word.length > LINE) {
      lines.push(line);
      line = word;
    } else line += word;
  }
  return [...lines, line].join('\r\n');
}
