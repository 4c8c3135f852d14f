import { randomBytes } from 'node:crypto';
import { isMainThread } from 'node:worker_threads';
import type { Pool } from './query-timeout.ts';

/** Bytes of JSON up to which it may be parsed where requests are served; 5 MB of `{},{},{}` take more than a second. */
export const MAX_PARSED_BESIDE_REQUESTS = 64 * 1024;

/** There is more JSON to look into than the thread that serves requests may parse: another one has to do it. */
export class Oversized extends Error {
  override readonly name = 'Oversized';
}

/** Texts that are to be put into what is being written. Undefined while nothing is. */
let texts: string[] | undefined;

/** Stands where a text belongs. Nobody outside this process can know it. */
const MARK = randomBytes(16).toString('hex');
const MARKS = new RegExp(`"${MARK}(\\d+)"`, 'g');

/**
 * JSON as the database has it. Free-form data goes through the service as text: most of it is only passed on, and what
 * is parsed just to be written down again would hold up other requests.
 */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** What it says. Throws `Oversized` on the thread that serves requests, where that would take too long. */
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

/** JSON that stays in the database: it is more than may be parsed here. To look into it, or to write it down, throws `Oversized`. */
export class LeftJson extends RawJson {
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

/** What free-form data says, whether it comes from a request or from the database. */
export function parsed<Value extends object>(data: Value | RawJson): Value {
  return data instanceof RawJson ? data.parse<Value>() : data;
}

/** Bytes of free-form data of the database, as it is sent. */
export function bytesOf(data: object): number {
  return data instanceof RawJson ? Buffer.byteLength(data.text) : 0;
}

const JSON_OID = 114;
const JSONB_OID = 3802;

/** Has every connection of a pool return JSON as `RawJson`. */
export function returnRawJson(pool: Pool): void {
  const wrap = (text: string) => new RawJson(text);
  pool.on('connect', (client) => {
    client.setTypeParser(JSON_OID, wrap);
    client.setTypeParser(JSONB_OID, wrap);
  });
}

/** As `JSON.stringify`, but with every `RawJson` as it is, rather than parsed and written down again. */
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
