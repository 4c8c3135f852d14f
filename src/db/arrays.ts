/**
 * Arrays as parameters of a statement, in Postgres's binary format: for each element its length and its bytes. Neither
 * side has text to quote and to parse, which for a large insert is a third of all the work. A parameter needs its type
 * beside it: `${texts(values)}::text[]`.
 */

const INT4 = 23;
const TEXT = 25;
const UUID = 2950;
const JSON_TYPE = 114;
const JSONB = 3802;
const TIMESTAMPTZ = 1184;

/** Written into first, and copied from: what is sent then takes no more memory than it has to. */
let scratch = Buffer.allocUnsafe(64 * 1024);
/** Larger ones are not kept. */
const MAX_KEPT = 1024 * 1024;
const HEADER_BYTES = 20;

/** Writes an element's bytes at an offset of `scratch`, and tells how many; -1 for null. */
type Write<Value> = (value: Value, offset: number) => number;

/** `needed` tells at most how many bytes an element takes. */
function encode<Value>(
  type: number,
  values: readonly Value[],
  needed: (value: Value) => number,
  write: Write<Value>,
): Buffer {
  reserve(0, HEADER_BYTES);
  scratch.writeInt32BE(1, 0); // dimensions
  scratch.writeInt32BE(1, 4); // may have nulls
  scratch.writeInt32BE(type, 8);
  scratch.writeInt32BE(values.length, 12);
  scratch.writeInt32BE(1, 16); // the first index
  let end = HEADER_BYTES;
  for (const value of values) {
    reserve(end, 4 + needed(value));
    const length = write(value, end + 4);
    scratch.writeInt32BE(length, end);
    end += 4 + Math.max(0, length);
  }
  const encoded = Buffer.from(scratch.subarray(0, end));
  if (scratch.length > MAX_KEPT) scratch = Buffer.allocUnsafe(MAX_KEPT);
  return encoded;
}

function reserve(used: number, more: number): void {
  if (used + more <= scratch.length) return;
  const larger = Buffer.allocUnsafe(2 * (used + more));
  scratch.copy(larger, 0, 0, used);
  scratch = larger;
}

/** UTF-8 takes at most so many bytes for one unit of a JavaScript string. */
const MAX_UTF8 = 3;

export function texts(values: readonly (string | null)[]): Buffer {
  return encode(
    TEXT,
    values,
    (value) => MAX_UTF8 * (value?.length ?? 0),
    (value, offset) => (value === null ? -1 : scratch.write(value, offset)),
  );
}

export function uuids(values: readonly string[]): Buffer {
  return encode(
    UUID,
    values,
    () => 16,
    (value, offset) => scratch.write(value.replaceAll('-', ''), offset, 'hex'),
  );
}

export function timestamps(values: readonly Date[]): Buffer {
  return encode(TIMESTAMPTZ, values, () => 8, writeTimestamp);
}

export function integers(values: readonly number[]): Buffer {
  return encode(
    INT4,
    values,
    () => 4,
    (value, offset) => {
      scratch.writeInt32BE(value, offset);
      return 4;
    },
  );
}

const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

function writeTimestamp(value: Date, offset: number): number {
  scratch.writeBigInt64BE(BigInt(value.getTime() - POSTGRES_EPOCH_MS) * 1000n, offset);
  return 8;
}

/** For `json[]`. */
export function jsons(values: readonly (object | null)[]): Buffer {
  const encoded = values.map((value) => value && JSON.stringify(value));
  return encode(
    JSON_TYPE,
    encoded,
    (text) => MAX_UTF8 * (text?.length ?? 0),
    (text, offset) => (text === null ? -1 : scratch.write(text, offset)),
  );
}

/** For `jsonb[]`. */
export function jsonbs(values: readonly object[]): Buffer {
  const encoded = values.map((value) => JSON.stringify(value));
  return encode(
    JSONB,
    encoded,
    (text) => 1 + MAX_UTF8 * text.length,
    (text, offset) => {
      scratch[offset] = 1; // the version of the format
      return 1 + scratch.write(text, offset + 1);
    },
  );
}
