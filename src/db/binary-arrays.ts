import { writeUuid } from '../ids/uuid-text.ts';
import { freeNow } from '../process/free-now.ts';
import { RawJson } from './raw-json.ts';

/**
 * Encodes arrays as statement parameters in Postgres's binary format: the length and bytes of each element. Neither
 * side has to quote or parse text, which is a third of the work of a large insert. A parameter needs its type next to
 * it: `${texts(values)}::text[]`.
 */

const INT4 = 23;
const TEXT = 25;
const UUID = 2950;
const JSON_TYPE = 114;
const JSONB = 3802;
const TIMESTAMPTZ = 1184;

/** Encoded into first, then copied, so that what is sent takes no more memory than it needs. */
let scratch = Buffer.allocUnsafe(64 * 1024);
/** Maximum bytes of the buffer that is kept. */
const MAX_KEPT = 1024 * 1024;
const HEADER_BYTES = 20;

/** Writes an element's bytes at an offset of `scratch`, after reserving room, and returns their number; -1 for null. */
type Write<Value> = (value: Value, offset: number) => number;

function encodeArray<Value>(type: number, values: readonly Value[], write: Write<Value>): Buffer {
  scratch.writeInt32BE(1, 0); // dimensions
  scratch.writeInt32BE(1, 4); // may have nulls
  scratch.writeInt32BE(type, 8);
  scratch.writeInt32BE(values.length, 12);
  scratch.writeInt32BE(1, 16); // the first index
  let end = HEADER_BYTES;
  for (const value of values) {
    reserveScratch(end, 4);
    const length = write(value, end + 4);
    scratch.writeInt32BE(length, end);
    end += 4 + Math.max(0, length);
  }
  const encoded = Buffer.from(scratch.subarray(0, end));
  if (scratch.length > MAX_KEPT) replaceScratch(Buffer.allocUnsafe(MAX_KEPT));
  return encoded;
}

function reserveScratch(used: number, more: number): void {
  if (used + more <= scratch.length) return;
  const larger = Buffer.allocUnsafe(2 * (used + more));
  scratch.copy(larger, 0, 0, used);
  replaceScratch(larger);
}

function replaceScratch(other: Buffer<ArrayBuffer>): void {
  freeNow(scratch);
  scratch = other;
}

export function texts(values: readonly (string | null)[]): Buffer {
  return encodeArray(TEXT, values, (value, offset) => (value === null ? -1 : writeText(value, offset)));
}

/** Maximum bytes of UTF-8 per code unit of a JavaScript string. */
const MAX_UTF8 = 3;
/** Characters up to which writing ASCII text here is faster than a call into Node. */
const SHORT = 40;

function writeText(text: string, offset: number): number {
  const { length } = text;
  reserveScratch(offset, MAX_UTF8 * length);
  if (length > SHORT) return scratch.write(text, offset);
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 127) return scratch.write(text, offset);
    scratch[offset + i] = code;
  }
  return length;
}

export function uuids(values: readonly string[]): Buffer {
  return encodeArray(UUID, values, (value, offset) => {
    reserveScratch(offset, 16);
    writeUuid(value, scratch, offset);
    return 16;
  });
}

export function timestamps(values: readonly Date[]): Buffer {
  return encodeArray(TIMESTAMPTZ, values, writeTimestamp);
}

export function integers(values: readonly number[]): Buffer {
  return encodeArray(INT4, values, (value, offset) => {
    reserveScratch(offset, 4);
    scratch.writeInt32BE(value, offset);
    return 4;
  });
}

const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

/** Microseconds, in two halves. They are multiples of 1,000, which a double holds exactly until the year 4283. */
function writeTimestamp(value: Date, offset: number): number {
  const micros = (value.getTime() - POSTGRES_EPOCH_MS) * 1000;
  const high = Math.floor(micros / 2 ** 32);
  reserveScratch(offset, 8);
  scratch.writeInt32BE(high, offset);
  scratch.writeUInt32BE(micros - high * 2 ** 32, offset + 4);
  return 8;
}

function textOf(value: object): string {
  return value instanceof RawJson ? value.text : JSON.stringify(value);
}

/** For `json[]`. */
export function jsons(values: readonly (object | null)[]): Buffer {
  return encodeArray(JSON_TYPE, values, (value, offset) => (value ? writeText(textOf(value), offset) : -1));
}

/** For `jsonb[]`. */
export function jsonbs(values: readonly object[]): Buffer {
  return encodeArray(JSONB, values, (value, offset) => {
    reserveScratch(offset, 1);
    scratch[offset] = 1; // the version of the format
    return 1 + writeText(textOf(value), offset + 1);
  });
}
