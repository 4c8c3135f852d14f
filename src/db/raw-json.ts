import { randomBytes } from 'node:crypto';
import { isMainThread } from 'node:worker_threads';
import type { ClientBase } from 'pg';

/** Maximum bytes of JSON to parse on the thread that serves requests; 5 MB of `{},{},{}` take more than a second. */
export const MAX_PARSED_BESIDE_REQUESTS = 64 * 1024;

/** There is more JSON to parse than the thread that serves requests may: another thread must do it. */
export class Oversized extends Error {
  override readonly name = 'Oversized';
}

/** Texts to insert into what is being serialised. Undefined when nothing is. */
let texts: string[] | undefined;

/** Placeholder for a text; nobody outside this process can know it. */
const MARK = randomBytes(16).toString('hex');
const MARKS = new RegExp(`"${MARK}(\\d+)"`, 'g');

/**
 * JSON text as the database returns it. Free-form data passes through the service as text: most of it is only passed
 * on, and parsing and serialising it again would delay other requests.
 */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the parsed value. Throws `Oversized` on the thread that serves requests if parsing would take too long. */
  parse<Value>(): Value {
    if (isMainThread && this.text.length > MAX_PARSED_BESIDE_REQUESTS)
      throw new Oversized('The JSON is too large here');
    return JSON.parse(this.text);
  }

  toJSON(): unknown {
    if (!texts) return JSON.parse(this.text);
    texts.push(this.text);
    return `${MARK}${texts.length - 1}`;
  }
}

/**
 * JSON left in the database because it is too large to parse here. Throws `Oversized` if it is parsed or serialised.
 */
export class UnloadedJson extends RawJson {
  constructor() {
    super('');
  }

  override parse(): never {
    throw new Oversized('The JSON is too large here');
  }

  override toJSON(): never {
    return this.parse();
  }
}

/** Returns free-form data parsed, whether it comes from a request or from the database. */
export function parsed<Value extends object>(data: Value | RawJson): Value {
  return data instanceof RawJson ? data.parse<Value>() : data;
}

/**
 * Throws `Oversized` on the thread that serves requests if parsing all of some data, each of it small, would take too
 * long there.
 */
export function checkParsable(all: readonly object[]): void {
  const characters = all.reduce((sum, data) => sum + (data instanceof RawJson ? data.text.length : 0), 0);
  if (isMainThread && characters > MAX_PARSED_BESIDE_REQUESTS) throw new Oversized('The JSON is too large here');
}

/** Throws `Oversized` on the thread that serves requests: for work whose size is only known when it is done. */
export function requireOwnThread(): void {
  if (isMainThread) throw new Oversized('This may take too long here');
}

/** Returns the bytes of free-form data of the database as it is sent. */
export function bytesOf(data: object): number {
  return data instanceof RawJson ? Buffer.byteLength(data.text) : 0;
}

const JSON_OID = 114;
const JSONB_OID = 3802;

/** Makes a connection return JSON as `RawJson`. */
export function returnRawJson(client: Pick<ClientBase, 'setTypeParser'>): void {
  const wrap = (text: string) => new RawJson(text);
  client.setTypeParser(JSON_OID, wrap);
  client.setTypeParser(JSONB_OID, wrap);
}

/** Like `JSON.stringify`, but inserts the text of every `RawJson` unchanged. */
export function stringify(value: unknown): string {
  const found: string[] = [];
  texts = found;
  let written: string;
  try {
    written = JSON.stringify(value);
  } finally {
    texts = undefined;
  }
  return found.length === 0 ? written : written.replace(MARKS, (_, place) => found[Number(place)] as string);
}
